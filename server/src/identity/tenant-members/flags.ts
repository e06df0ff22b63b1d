// The nine flags of a tenant's member or invitation: their columns, and back.
import { type RoleFlag, roleFlags } from '@bailiwick/contract'

export type FlagColumn =
  | 'role_admin'
  | 'role_edit_organizations'
  | 'role_edit_users'
  | 'role_edit_config'
  | 'role_view_users'
  | 'role_view_organizations'
  | 'role_view_config'
  | 'role_view_billing'
  | 'role_edit_billing'

export type FlagColumns = Readonly<Record<FlagColumn, number>>
export type Flags = Readonly<Record<RoleFlag, boolean>>

const columns = roleFlags.map((flag) => {
  const column = flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as FlagColumn
  return [flag, column] as const
})

/** Flags that are left out are false. */
export const flagColumns = (flags: Partial<Flags>) =>
  Object.fromEntries(columns.map(([flag, column]) => [column, flags[flag] === true ? 1 : 0])) as FlagColumns

export function presentFlags(row: FlagColumns): Flags {
  const flags: Partial<Record<RoleFlag, boolean>> = {}
  for (const [flag, column] of columns) flags[flag] = row[column] === 1
  return flags as Flags
}

const sets = new Map<number, ReadonlySet<RoleFlag>>()

/** The flags that are true; one set for each combination, however many members have it. */
export function flagSet(row: FlagColumns): ReadonlySet<RoleFlag> {
  const bits = columns.reduce((sum, [, column], place) => sum + row[column] * 2 ** place, 0)
  const known = sets.get(bits)
  if (known !== undefined) return known
  const flags = new Set(columns.filter(([, column]) => row[column] === 1).map(([flag]) => flag))
  sets.set(bits, flags)
  return flags
}
