// The places of users and groups in their lists: 1, 2, 3 … without a gap, so that a page begins at a place and needs no OFFSET. The row of the
// directory is the lock of all of them.
import type { Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { ScimPlace } from './place.ts'
import { ScimError } from './protocol/scim-error.ts'
import * as queries from './queries.ts'

type Total = 'users_total' | 'groups_total'

interface Placed {
  readonly place: number
}

/** How the rows of a list are found and moved. */
interface PlacedList<Row extends Placed> {
  readonly total: Total
  readonly last: (tx: Transaction, directory: queries.DirectoryRow) => Promise<Row | undefined>
  readonly move: (row: Row) => Statement
}

export const userPlaces: PlacedList<queries.UserRow> = {
  total: 'users_total',
  last: (tx, row) => queries.selectLastUser(tx, row.tenant_id, row.connection_id),
  move: queries.updateUserPlace,
}

export const groupPlaces: PlacedList<queries.GroupRow> = {
  total: 'groups_total',
  last: (tx, row) => queries.selectLastGroup(tx, row.tenant_id, row.connection_id),
  move: queries.updateGroupPlace,
}

/** Holds what a directory provisions until the transaction ends: its requests change it one after the other. */
export async function holdDirectory(tx: Transaction, place: ScimPlace): Promise<queries.DirectoryRow> {
  const row = await queries.selectDirectoryForUpdate(tx, place.tenantId, place.connection.id)
  if (row === undefined) throw new ScimError(401, 'The token is not valid.')
  return row
}

/** Returns the place of a new row, which it takes. */
export async function takePlace<Row extends Placed>(
  tx: Transaction,
  list: PlacedList<Row>,
  directory: queries.DirectoryRow,
): Promise<number> {
  const place = directory[list.total] + 1
  await tx.run(queries.updateDirectory({ ...directory, [list.total]: place }))
  return place
}

/** Gives the place of a row that was removed to the last row of the list. */
export async function closePlace<Row extends Placed>(
  tx: Transaction,
  list: PlacedList<Row>,
  directory: queries.DirectoryRow,
  place: number,
): Promise<queries.DirectoryRow> {
  const last = await list.last(tx, directory)
  const isInside = last !== undefined && last.place > place
  if (isInside) await tx.run(list.move({ ...last, place }))
  const after = { ...directory, [list.total]: isInside ? last.place - 1 : Math.min(last?.place ?? 0, place - 1) }
  await tx.run(queries.updateDirectory(after))
  return after
}
