import { slugKey } from '@bailiwick/contract'
import type { Reader } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { CommandRefused } from '../../outcome.ts'

/**
 * Returns the tenant with this id or slug that is not deleted.
 * @throws CommandRefused if there is none.
 */
export async function getNamedTenant(
  db: Reader,
  name: string,
): Promise<{ readonly id: TenantId; readonly slug: string }> {
  const row = await db.first<{ id: TenantId; slug: string }>(sql`SELECT id, slug FROM tenants
    WHERE (id = ${name} OR slug_key = ${slugKey(name)}) AND deleted_at IS NULL`)
  if (row === undefined) throw new CommandRefused(`there is no tenant ${JSON.stringify(name)}`)
  return row
}
