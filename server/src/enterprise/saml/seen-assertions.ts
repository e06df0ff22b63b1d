import { hash } from 'node:crypto'
import { fromMs } from '../../platform/clock.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ConnectionId, TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'

interface Place {
  readonly tenant_id: TenantId
  readonly id: ConnectionId
}

interface UsedOnce {
  readonly id: string
  /** Until when it could be sent again, in milliseconds. */
  readonly repeatableUntil: number
}

/** Returns whether the assertion is used for the first time; of several at once, one is. */
export async function useAssertion(tx: Transaction, connection: Place, assertion: UsedOnce): Promise<boolean> {
  const inserted =
    await tx.run(sql`INSERT INTO saml_seen_assertions (tenant_id, connection_id, assertion_hash, expires_at)
    VALUES (${connection.tenant_id}, ${connection.id}, ${hash('sha256', assertion.id)}, ${fromMs(assertion.repeatableUntil)})
    ON CONFLICT (tenant_id, connection_id, assertion_hash) DO NOTHING`)
  return inserted === 1
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
