// The nine flags of a tenant's member or invitation, converted to columns and back.
import { type RoleFlag, roleFlags } from '@bailiwick/contract'
import type { RowOf } from '../../platform/db/table.ts'
import type { flagNames, tenantMembers } from './tables.ts'

type FlagColumn = (typeof flagNames)[number]
export type FlagColumns = Pick<RowOf<typeof tenantMembers>, FlagColumn>
export type Flags = Readonly<Record<RoleFlag, boolean>>

const columns = roleFlags.map((flag) => {
  const column = flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as FlagColumn
  return [flag, column] as const
})

/** Flags that are left out count as false. */
export const flagColumns = (flags: Partial<Flags>) =>
  Object.fromEntries(columns.map(([flag, column]) => [column, flags[flag] === true ? 1 : 0])) as FlagColumns

export const presentFlags = (row: FlagColumns): Flags => ({
  roleAdmin: row.role_admin === 1,
  roleEditOrganizations: row.role_edit_organizations === 1,
  roleEditUsers: row.role_edit_users === 1,
  roleEditConfig: row.role_edit_config === 1,
  roleViewUsers: row.role_view_users === 1,
  roleViewOrganizations: row.role_view_organizations === 1,
  roleViewConfig: row.role_view_config === 1,
  roleViewBilling: row.role_view_billing === 1,
  roleEditBilling: row.role_edit_billing === 1,
})

const sets = new Map<number, ReadonlySet<RoleFlag>>()

/** Returns the flags that are true. Each combination has one shared set, however many members have it. */
export function flagSet(row: FlagColumns): ReadonlySet<RoleFlag> {
  const bits = columns.reduce((sum, [, column], place) => sum + row[column] * 2 ** place, 0)
  const known = sets.get(bits)
  if (known !== undefined) return known
  const flags = new Set(columns.filter(([, column]) => row[column] === 1).map(([flag]) => flag))
  sets.set(bits, flags)
  return flags
}
