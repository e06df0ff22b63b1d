// The passwords that a user had before, as hashes, for tenants that accept none of them again. Whether a password was used before is said
// only to whoever has proven to be the user.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Transaction } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { invalid } from '../../platform/http/api-error.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { selectStoredPassword } from './passwords.ts'
import { formerPasswords } from './tables.ts'

type Rules = Pick<TenantAuthSettings, 'passwordHistory'>

interface Owner {
  readonly tenantId: TenantId
  readonly userId: UserId
}

/**
 * Refuses the present password and the former ones that the tenant counts. Only for callers who have proven to be the user.
 * @throws ApiError validation_failed with the issue password_reused
 */
export async function assertNotReused(
  deps: Pick<Deps, 'db' | 'sealer' | 'passwordPool'>,
  { passwordHistory: count }: Rules,
  owner: Owner,
  password: string,
  path = '/password',
): Promise<void> {
  if (count === 0) return
  const { tenantId, userId } = owner
  const present = await selectStoredPassword(deps, tenantId, userId)
  const former = await formerPasswords.all(deps.db)`tenant_id = ${tenantId} AND user_id = ${userId}
    ORDER BY set_at DESC LIMIT ${count - 1}`
  const all = [
    ...(present === undefined ? [] : [present]),
    ...former.map(({ hash }) => ({ kind: 'own' as const, encoded: hash })),
  ]
  for (const each of all) {
    if (await deps.passwordPool.verify(tenantId, each, password))
      throw invalid(path, 'password_reused', 'was used before')
  }
}

/** Remembers the present password before another replaces it, and forgets those that no longer count. */
export async function rememberPassword(
  tx: Transaction,
  { passwordHistory: count }: Rules,
  { tenantId, userId }: Owner,
) {
  if (count === 0) return
  await tx.run(sql`INSERT INTO former_passwords (tenant_id, user_id, hash, set_at)
    SELECT tenant_id, user_id, hash, updated_at FROM passwords
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND kind = 'own'
    ON CONFLICT (tenant_id, user_id, set_at) DO NOTHING`)
  await tx.run(sql`DELETE FROM former_passwords WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND set_at NOT IN
    (SELECT set_at FROM former_passwords WHERE tenant_id = ${tenantId} AND user_id = ${userId}
      ORDER BY set_at DESC LIMIT ${count})`)
}
