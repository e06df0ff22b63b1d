import { hash } from 'node:crypto'
import { fromMs } from '../../platform/clock.ts'
import { ConstraintError, type Database, type Transaction } from '../../platform/db/database.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { type Statement, sql } from '../../platform/db/sql.ts'
import type { ConnectionId, TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { seenAssertions } from './tables.ts'

interface Place {
  readonly tenant_id: TenantId
  readonly id: ConnectionId
}

interface UsedOnce {
  readonly id: string
  /** Until when it could be sent again, in milliseconds. */
  readonly repeatableUntil: number
}

/** Returns the statement that notes the use of an assertion. It fails, as {@link isUsedBefore} tells, if the assertion was used before. */
export const insertUse = (connection: Place, { id, repeatableUntil }: UsedOnce): Statement =>
  seenAssertions.insert({
    tenant_id: connection.tenant_id,
    connection_id: connection.id,
    assertion_hash: hash('sha256', id),
    expires_at: fromMs(repeatableUntil),
  })

export const isUsedBefore = (error: unknown): boolean =>
  error instanceof ConstraintError && error.constraint === 'saml_seen_assertions_pkey'

/** Returns whether the assertion is used for the first time; of several at once, one is. */
export async function useAssertion(tx: Transaction, connection: Place, assertion: UsedOnce): Promise<boolean> {
  const insert = insertUse(connection, assertion)
  return (await tx.run(sql`${insert} ON CONFLICT (tenant_id, connection_id, assertion_hash) DO NOTHING`)) === 1
}

/** Does the same for a request to sign out. */
export const useRequest = (tx: Transaction, connection: Place, { id, repeatableUntil }: UsedOnce) =>
  useAssertion(tx, connection, { id: `logout:${id}`, repeatableUntil })

const key = ['tenant_id', 'connection_id', 'assertion_hash']
const column = 'expires_at'

/** Does one bounded piece of work; returns whether there is more. */
export function removeForgettable({ db, clock }: Pick<Deps, 'clock'> & { readonly db: Database }): Promise<boolean> {
  const before = clock.now()
  return removeExpired(db, [
    { table: 'saml_seen_assertions', key, column, before },
    { table: 'saml_sign_ins', key: ['tenant_id', 'attempt_id'], column, before },
    { table: 'saml_logouts', key: ['tenant_id', 'request_hash'], column, before },
  ])
}
