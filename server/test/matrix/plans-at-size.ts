// What PostgreSQL would do with the statements of the service in a deployment of 100,000 tenants, 100 million users and a billion sessions:
// each is planned on a database that pretends to hold them. No statement may read a table or an index from end to end, sort what has no
// bound, or skip rows.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type FrontendEndpointId, frontendEndpoints } from '@bailiwick/contract'
import * as client from 'openid-client'
import { Client } from 'pg'
import { fromMs } from '../../src/platform/clock.ts'
import { removeOldEvents } from '../../src/platform/events/remove-events.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { startBackground } from '../../src/service/background.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { type Pretended, type Size, pretendSize } from '../harness/databases/database-of-size.ts'
import { describeOnEngines, engines } from '../harness/databases/databases.ts'
import { type SeenStatement, seeStatements } from '../harness/databases/seen-statements.ts'
import { createRole, createTenant, unique } from '../harness/factories.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../harness/people/authorization.ts'
import { password } from '../harness/people/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'
import { createFrontendWorld, pathNames } from './frontend-world.ts'
import { endpointIds, endsItsWorld, requests, tokenFor } from './requests.ts'
import { createWorld } from './world.ts'

const size: Size = {
  tenants: 100_000,
  rows: {
    tenants: 1e5,
    users: 1e8,
    email_addresses: 1e8,
    user_terms: 1e8,
    sessions: 1e9,
    events: 2e9,
    event_seals: 2e9,
    jobs: 1e6,
    messages: 1e8,
  },
  // A hundred of each tenant.
  others: 1e7,
}

/** So many rows may be read or sorted by what has no LIMIT: what belongs to one user, organization or page. */
const rowsMax = 10_000

interface Plan {
  readonly 'Total Cost': number
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly Plan[]
}

/** Whether a LIMIT below bounds the rows. What is planned for any LIMIT expects a tenth of all rows. */
const isBounded = ({ 'Node Type': type, Plans: [input, ...others] = [] }: Plan): boolean =>
  type === 'Limit' || (input !== undefined && others.length === 0 && isBounded(input))

/** Returns what is wrong with a plan. */
function problemsIn(plan: Plan, { large, partial }: Pretended, isLimited: boolean): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, Plans: parts = [] } = plan
  const below = parts.flatMap((part) => problemsIn(part, { large, partial }, isLimited || type === 'Limit'))
  const [input] = parts
  const sorted = input?.['Plan Rows'] ?? 0
  if (type === 'Sort' && sorted > rowsMax && input !== undefined && !isBounded(input)) {
    return [...below, `sorts ${sorted} rows`]
  }
  if (!large.has(table)) return below
  const estimated = plan['Plan Rows']
  if (type === 'Seq Scan') return [...below, `reads all of ${table}`]
  if (!isLimited && estimated > rowsMax) return [...below, `reads ${estimated} rows of ${table}`]
  // A partial index is of rows that wait for something. Walking it needs no condition beside its own.
  if (index === undefined || plan['Index Cond'] !== undefined || partial.has(index)) return below
  return isLimited && plan.Filter === undefined ? below : [...below, `reads all of ${index}`]
}

const isPlanned = ({ text }: SeenStatement) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)

async function explain(postgres: Client, text: string, values: readonly unknown[]): Promise<Plan> {
  const { rows } = await postgres.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
    text: `EXPLAIN (FORMAT JSON) ${text}`,
    values: [...values],
  })
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  assert.ok(plan !== undefined)
  return plan
}

/** What PostgreSQL adds to the cost of a plan for certain values, because it would have to be made each time; for some ten tables. */
const planningCost = 25

/**
 * Plans a statement for the values that it was sent with, and once for all values, as PostgreSQL does after some executions. It keeps the
 * second plan if that one costs no more.
 */
async function readPlans(postgres: Client, { text, values }: SeenStatement): Promise<Plan[]> {
  const forValues = await explain(postgres, text, values)
  await postgres.query(`PREPARE planned AS ${text}`)
  const nulls = values.map(() => 'NULL').join(', ')
  const forAll = await explain(postgres, `EXECUTE planned${nulls === '' ? '' : `(${nulls})`}`, [])
  await postgres.query('DEALLOCATE planned')
  return forAll['Total Cost'] <= forValues['Total Cost'] + planningCost ? [forValues, forAll] : [forValues]
}

/** Calls every operation of the management interface, and reads all that the frontend interface reads. */
async function callEverything(service: TestService): Promise<void> {
  const world = await createWorld(service)
  for (const id of endpointIds) {
    if (endsItsWorld(id)) continue
    const { status, text } = await service.call(id, { ...requests[id].valid(world), token: tokenFor(id, world) })
    assert.equal(status, 200, `${id}: ${text}`)
  }
  const { person, ...names } = await createFrontendWorld(service, (await createTenant(service)).tenant)
  for (const [id, { method }] of Object.entries(frontendEndpoints)) {
    if (method !== 'GET') continue
    const params = pathNames[id as FrontendEndpointId]?.(names)
    await person.browser.call(id as FrontendEndpointId, params === undefined ? {} : { params })
  }
}

/** What happens most: searching, signing up and in, and tokens for applications. */
async function callOften(service: TestService): Promise<void> {
  const { tenant } = await createTenant(service)
  await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { emailVerificationRequired: false } })
  const browser = new Browser(service, tenant.publicKey)
  const email = `${unique()}@example.com`
  await browser.ok('createSignUp', { body: { email, password, name: 'Ada Lovelace' } })
  await new Browser(service, tenant.publicKey).ok('createSignIn', {
    body: { identifier: email, strategy: 'email_password', password },
  })
  for (const query of ['ada', 'ada love', '@example.com', 'nobody', '+49 30']) {
    for (const more of [{}, { status: 'active' }, { roleId: (await createRole(service, tenant.id)).id }]) {
      await service.ok('listUsers', { query: { tenantId: tenant.id, query, ...more } })
    }
  }
  const { id: resourceId, indicator: resource } = await createResource(service, tenant.id, { format: 'opaque' })
  const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
  const machine = await createApplication(service, tenant.id, { type: 'machine', machineScopes })
  await client.clientCredentialsGrant(await relyingParty(service, tenant.id, machine), {
    resource,
    scope: 'articles:read',
  })
  const rp = await relyingParty(service, tenant.id, await createApplication(service, tenant.id))
  const begun = await beginAuthorization(rp, { resource, scope: 'openid offline_access articles:read' })
  const callback = await authorize(new VisitingBrowser(service), browser, begun)
  const tokens = await client.authorizationCodeGrant(rp, callback, begun.checks)
  if (tokens.refresh_token !== undefined) await client.refreshTokenGrant(rp, tokens.refresh_token)
}

/** Lets the work beside the requests go on until it sends nothing new. */
async function runBackground({ deps }: TestService, seen: ReadonlyMap<string, SeenStatement>): Promise<void> {
  const stop = await startBackground(deps)
  for (let count = 0; count < seen.size;) {
    count = seen.size
    await new Promise((done) => setTimeout(done, 300))
  }
  await stop()
}

/** Removes the events that the work beside the requests has sealed, as if they had become old. */
async function removeEvents({ deps }: TestService, postgres: Client): Promise<void> {
  const { rows: tenants } = await postgres.query<{ id: TenantId }>('SELECT id FROM tenants ORDER BY id LIMIT 100')
  const removal = { before: fromMs(Date.now() + 1000), days: 30, findNeeded: async () => undefined }
  const counts: number[] = []
  for (const { id: tenantId } of tenants) counts.push(await removeOldEvents(deps, { ...removal, tenantId }))
  assert.ok(counts.some((count) => count > 0))
}

describeOnEngines(
  engines.filter((engine) => engine === 'postgresql'),
  'statements in a very large database',
  (open) => {
    it('are read by an index, without an unbounded sort or OFFSET', async (test) => {
      const { database, options } = await open()
      assert.ok(options.kind === 'postgresql')
      const postgres = new Client(options.directUrl ?? options.url)
      await postgres.connect()
      try {
        const recording = seeStatements(postgres.database ?? '')
        const service = await startTestService(database)
        await callEverything(service)
        await callOften(service)
        await runBackground(service, recording.seen)
        await removeEvents(service, postgres)
        recording.stop()
        await service.app.close()
        const seen = [...recording.seen.values()].filter(isPlanned)
        assert.ok(seen.length > 500, `only ${seen.length} statements were recorded`)
        await postgres.query('SET random_page_cost = 1.1; SET jit = off')
        const pretended = await pretendSize(postgres, size)
        assert.ok(pretended.large.size > 0)
        const problems: string[] = []
        for (const statement of seen) {
          const plans = await readPlans(postgres, statement)
          const found = new Set(plans.flatMap((plan) => problemsIn(plan, pretended, false)))
          if (/\bOFFSET\b/i.test(statement.text)) found.add('skips rows')
          if (found.size > 0) problems.push(`${[...found].join('; ')}: ${statement.text.replaceAll(/\s+/g, ' ')}`)
        }
        assert.deepEqual(problems, [])
        test.diagnostic(`${seen.length} statements on ${pretended.large.size} large tables`)
      } finally {
        await postgres.end()
      }
    })
  },
)
