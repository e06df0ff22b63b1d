// Tests of connections: a sign-in that ends in a report and makes nothing. The provider's answer is judged as for a real one.
import type { ConnectionTest, ConnectionTestReport } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import type { AssertedPerson } from './asserted-person.ts'
import { findTenantAttributes, valuesOfClaims } from './attribute-mappings.ts'
import { planAdmission } from './plan-admission.ts'
import * as queries from './queries.ts'
import { connectionTests } from './tables.ts'

const reportMs = 24 * 60 * 60_000

const startTest = connectionTests.upsert('state', 'sealed_report', 'created_at', 'expires_at')
const endTest = connectionTests.update('state', 'sealed_report', 'expires_at')

/** Forgets the test before, in the transaction that stores the state of the new one. */
export async function beginTest({ clock }: Deps, tx: Transaction, { tenant_id, id }: queries.ConnectionRow) {
  const at = clock.next()
  const expiresAt = addMilliseconds(at, reportMs)
  const row = { tenant_id, connection_id: id, state: 'open', sealed_report: null, created_at: at } as const
  await tx.run(startTest({ ...row, expires_at: expiresAt }))
  return expiresAt
}

/** @throws ApiError not_found for a connection that was never tested, or whose report has been removed. */
export async function getTest({ db, sealer, clock }: Deps, tenantId: TenantId, id: string): Promise<ConnectionTest> {
  const row = await connectionTests.byKey(db, tenantId, id as queries.ConnectionRow['id'])
  if (row === undefined || row.expires_at <= clock.now()) throw notFound()
  const { sealed_report: sealed } = row
  const text = sealed === null ? null : sealer.open(sealed, connectionTests.place('sealed_report', row))
  return {
    connectionId: row.connection_id,
    state: row.state,
    report: text === null ? null : { ...nothing, ...(JSON.parse(text) as ConnectionTestReport) },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

const nothing: ConnectionTestReport = {
  problem: null,
  subject: null,
  email: null,
  name: null,
  givenName: null,
  familyName: null,
  claims: {},
  attributes: [],
  refusal: null,
  user: null,
  userId: null,
  membership: null,
  roleId: null,
}

const users = { known: 'known', link: 'linked', new: 'created' } as const

async function mappedAttributes(db: Reader, row: queries.ConnectionRow, { claims }: AssertedPerson) {
  const { values, refused } = valuesOfClaims(await findTenantAttributes(db, row.tenant_id), row, claims)
  const sources = new Map(fromJson(row.attribute_mappings).map(({ attribute, claim }) => [attribute, claim ?? '']))
  return [
    ...Object.entries(values).map(([attribute, value]) => ({
      attribute,
      source: sources.get(attribute) ?? '',
      value,
      problem: null,
    })),
    ...refused.map(({ attribute, source, message }) => ({
      attribute: attribute ?? '',
      source,
      value: null,
      problem: message,
    })),
  ]
}

/** Returns what the provider said and what a sign-in would do, without doing it. */
async function makeReport(
  timed: TimedReader,
  row: queries.ConnectionRow,
  person: AssertedPerson,
): Promise<ConnectionTestReport> {
  const { isEmailUnverified: _, ...asserted } = person
  const said = { ...asserted, attributes: await mappedAttributes(timed.db, row, person) }
  const plan = await planAdmission(timed, row, person)
  if (plan.kind === 'refused') return { ...nothing, ...said, refusal: plan.reason }
  return {
    ...nothing,
    ...said,
    user: users[plan.kind],
    userId: plan.userId ?? null,
    membership: plan.membership === undefined ? 'created' : 'existing',
    roleId: plan.roleId,
  }
}

/** What a test ended with: a person whom the provider has identified, or the reason that it has identified nobody. */
export type TestEnd = { readonly person: AssertedPerson } | { readonly problem: string }

/**
 * Stores the report of a test. A connection whose provider has identified somebody may go live.
 * @param verified the connection as it was when its provider answered.
 */
export async function recordTest(
  deps: Deps,
  verified: queries.ConnectionRow,
  end: TestEnd,
  actor: Actor,
): Promise<void> {
  const { db, clock, personal, sealer, tenants } = deps
  const { tenant_id: tenantId, id } = verified
  await db.transaction(async (tx) => {
    const row = await queries.selectConnectionForUpdate(tx, tenantId, id)
    const test = await connectionTests.byKey(tx, tenantId, id)
    if (row === undefined || test === undefined) return
    const report =
      'person' in end ? await makeReport({ db: tx, clock }, row, end.person) : { ...nothing, problem: end.problem }
    const state = 'person' in end ? 'passed' : 'failed'
    const sealed = sealer.seal(JSON.stringify(report), connectionTests.place('sealed_report', test))
    await tx.run(endTest({ ...test, state, sealed_report: sealed }))
    // What was changed meanwhile has to be tested again.
    const isSame = row.settings === verified.settings && row.secret === verified.secret
    if (state === 'passed' && isSame) {
      const at = clock.now()
      const after = { ...row, state: row.state === 'draft' ? ('tested' as const) : row.state, tested_at: at }
      await tx.run(queries.updateConnection({ ...after, updated_at: at }))
      await invalidateTenant(tx, tenants, tenantId)
    }
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'connection.tested',
        actor,
        subjectId: id,
        data: { organizationId: row.organization_id, state, problem: report.problem, refusal: report.refusal },
      }),
    )
  })
}

/** Does one bounded piece of work. Returns whether there is more. */
export const removeOldReports = ({ db, clock }: Deps): Promise<boolean> =>
  removeExpired(db, [
    { table: 'connection_tests', key: ['tenant_id', 'connection_id'], column: 'expires_at', before: clock.now() },
  ])
