// On a sharded database, what a request of one tenant reads and writes is on one shard. Citus says of each statement how many it asks.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from 'pg'
import { findMembershipOf } from '../../src/identity/organizations/membership-of.ts'
import { selectReceivedInvitations } from '../../src/identity/organizations/queries.ts'
import { fromMs } from '../../src/platform/clock.ts'
import { type Statement, sql } from '../../src/platform/db/sql.ts'
import { removeOldEvents } from '../../src/platform/events/remove-events.ts'
import type { TenantId, UserId } from '../../src/platform/ids.ts'
import { fanOutEverything, sealEverything } from '../harness/databases/event-log.ts'
import { createOrganization, createTenant, createUser } from '../harness/factories.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { type PlannedService, startPlannedService } from '../harness/planned-service.ts'
import type { TestService } from '../harness/service.ts'

describe('a request of one tenant, on Citus', () => {
  let planned: PlannedService
  let recording: PlannedService['recording']
  let service: TestService
  let client: Client
  let tenantId: string
  let publicKey: string
  let ofTenant: { readonly token: string }
  let tenantElsewhere: string
  let userId: string
  let person: Person

  before(async () => {
    planned = await startPlannedService()
    ;({ recording, service, client } = planned)
    const { tenant, secretKey } = await createTenant(service)
    tenantId = tenant.id
    publicKey = tenant.publicKey
    ofTenant = { token: secretKey }
    tenantElsewhere = await createTenantElsewhere()
    person = await signedInPerson(service, tenant)
    userId = person.user.id
    await sealEverything(service.deps)
    await fanOutEverything(service.deps)
  })
  after(() => planned.stop())

  /** Creates tenants until one is on another shard than the console's, whose users administer it. */
  async function createTenantElsewhere(): Promise<string> {
    const shard = (id: string) => `get_shard_id_for_distribution_column('users', ${id})`
    for (;;) {
      const { tenant } = await createTenant(service)
      const { rows } = await client.query(
        `SELECT 1 FROM deployment WHERE name = 'console_tenant_id' AND ${shard('value')} <> ${shard('$1::text')}`,
        [tenant.id],
      )
      if (rows.length > 0) return tenant.id
    }
  }

  async function explain({ postgresqlText, values }: Statement): Promise<string> {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN (COSTS OFF) ${postgresqlText}`,
      values: values as unknown[],
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  /** Returns how many shards a plan asks; 0 for one that is answered by what each server has. */
  const countShards = (plan: string): number =>
    [...plan.matchAll(/Task Count: (\d+)/g)].reduce((most, [, tasks]) => Math.max(most, Number(tasks)), 0)

  async function assertOneShard(run: () => Promise<unknown>) {
    const statements = await recording.captured(run)
    assert.ok(statements.length > 0, 'it has asked the database nothing')
    for (const statement of statements) {
      if (/^\s*SELECT pg_notify/.test(statement.postgresqlText)) continue
      const plan = await explain(statement)
      assert.ok(countShards(plan) <= 1, `asks several shards: ${statement.postgresqlText}`)
      // Each part of such a statement asks one shard, but what it finds is written to the server of the next part.
      assert.doesNotMatch(plan, /Distributed Subplan/, `is run in parts: ${statement.postgresqlText}`)
    }
  }

  it('is told apart from one that names no tenant', async () => {
    assert.ok(countShards(await explain(sql`SELECT id FROM users WHERE id = ${userId} LIMIT 1`)) > 1)
  })

  const requests: Readonly<Record<string, () => Promise<unknown>>> = {
    'creates a user': () => createUser(service, tenantId),
    'lists users': () => service.ok('listUsers', { query: { tenantId } }),
    'searches users': async () => {
      await service.ok('listUsers', { query: { tenantId, query: 'ada' } })
      // A word finds a few, who are read and judged by the other one.
      await createUser(service, tenantId, { name: 'Ada Lovelace' })
      await service.ok('listUsers', { query: { tenantId, query: 'ada lovelace' } })
    },
    'reads and changes a user by its id': async () => {
      await service.ok('getUser', { params: { id: userId }, ...ofTenant })
      await service.ok('updateUser', { params: { id: userId }, body: { name: 'Ada' }, ...ofTenant })
    },
    'is looked up by its public key and its secret key': async () => {
      service.deps.tenants.clear()
      await service.ok('listUsers', { query: { tenantId }, ...ofTenant })
      service.deps.tenants.clear()
      await service.deps.tenants.byPublicKey(publicKey)
    },
    'creates an organization, and lists organizations': async () => {
      await createOrganization(service, tenantId)
      await service.ok('listOrganizations', { params: { tenantId } })
    },
    'lists the administrators of a tenant, who are on another shard': () =>
      service.ok('listTenantMembers', { params: { tenantId: tenantElsewhere } }),
    'finds a member of an organization, and invitations to one': async () => {
      const organization = await createOrganization(service, tenantId)
      await findMembershipOf(service.deps, tenantId as TenantId, organization.id, userId as UserId)
      const { db, clock } = service.deps
      await selectReceivedInvitations(db, tenantId as TenantId, userId as UserId, clock.now(), 10)
    },
    'lists events': () => service.ok('listEvents', { params: { tenantId } }),
    'has its old events removed': async () => {
      const removal = {
        tenantId: tenantId as TenantId,
        before: fromMs(Date.now() + 1000),
        days: 30,
        findNeeded: async () => undefined,
      }
      assert.ok((await removeOldEvents(service.deps, removal)) > 0)
    },
    'signs a user in and out, with a session that is looked up, and in again on the same device': async () => {
      const browser = person.elsewhere()
      await person.begin(browser)
      service.deps.sessions.clear()
      await browser.ok('listOwnSessions')
      await browser.ok('endOwnSessions')
      await person.begin(browser)
    },
  }
  for (const [title, run] of Object.entries(requests)) it(title, () => assertOneShard(run))
})
