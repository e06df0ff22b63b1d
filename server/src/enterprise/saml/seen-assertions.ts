import { hash } from 'node:crypto'
import { fromMs } from '../../platform/clock.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { removeExpired } from '../../platform/db/remove-expired.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ConnectionId, TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import type { VerifiedAssertion } from './assertions/verify-assertion.ts'

interface Place {
  readonly tenant_id: TenantId
  readonly id: ConnectionId
}

/** Returns whether the assertion is used for the first time; of several at once, one is. */
export async function useAssertion(tx: Transaction, connection: Place, assertion: VerifiedAssertion): Promise<boolean> {
  const inserted =
    await tx.run(sql`INSERT INTO saml_seen_assertions (tenant_id, connection_id, assertion_hash, expires_at)
    VALUES (${connection.tenant_id}, ${connection.id}, ${hash('sha256', assertion.id)}, ${fromMs(assertion.repeatableUntil)})
    ON CONFLICT (tenant_id, connection_id, assertion_hash) DO NOTHING`)
  return inserted === 1
}

/** Does one bounded piece of work; returns whether there is more. */
export const removeForgettable = ({ db, clock }: Pick<Deps, 'clock'> & { readonly db: Database }): Promise<boolean> =>
  removeExpired(db, [
    {
      table: 'saml_seen_assertions',
      key: ['tenant_id', 'connection_id', 'assertion_hash'],
      column: 'expires_at',
      before: clock.now(),
    },
  ])
