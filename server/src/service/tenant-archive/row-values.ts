// Checks the values of an imported row. The interface writes only what the contract allows, and whoever reads a row relies on that; an archive
// may hold anything. So each column is held to its form and to what its table's declaration accepts.
import { isId, isWellFormedText, parseCursor } from '@bailiwick/contract'
import { excessMessage, excessOf, parametersOf } from '../../platform/crypto/password-cost.ts'
import { type Accepted, isArgued, isRule } from '../../platform/db/accepted.ts'
import type { Column, ColumnForm } from '../../platform/db/columns.ts'
import type { SqlValue } from '../../platform/db/sql.ts'
import type { TableFacts } from '../../platform/db/table.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import { isSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Times are compared as text, so they must have the one form in which they are stored. */
const isStoredTime = (value: unknown) => typeof value === 'string' && parseCursor(value)?.from === value

const problemOfForm: Readonly<Record<ColumnForm, (value: unknown) => string | undefined>> = {
  time: (value) => (isStoredTime(value) ? undefined : 'something other than a time'),
  json: (value) => (parsed(value) === undefined ? 'something other than JSON' : undefined),
  flag: (value) => (value === 0 || value === 1 ? undefined : 'something other than 0 or 1'),
  integer: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'something other than a count'),
  real: (value) => (typeof value === 'number' ? undefined : 'something other than a number'),
  text: (value) => (typeof value === 'string' && isWellFormedText(value) ? undefined : 'something other than text'),
  id: (value) => (typeof value === 'string' && isId(value) ? undefined : 'something other than an id'),
}

/** Says what a value breaks of what its column accepts. */
function brokenRule(accepted: Accepted, value: unknown, row: ArchiveRow): string | undefined {
  if (isArgued(accepted)) return undefined
  if (isRule(accepted)) return accepted.test(value, row) ? undefined : `it ${accepted.rule}`
  const [issue] = issuesOf(accepted, value)
  return issue && `${issue.path === '' ? 'it' : issue.path} ${issue.message}`
}

/** @throws ArchiveError with table, column, row and rule. */
function assertAccepted(at: string, column: Column, accepted: Accepted | undefined, value: SqlValue, row: ArchiveRow) {
  const problem = problemOfForm[column.form](value)
  if (problem !== undefined) throw new ArchiveError(`the file holds ${problem} in ${at}`)
  if (accepted === undefined || column.form === 'flag' || column.form === 'id') return
  const rule = brokenRule(accepted, column.form === 'json' ? parsed(value) : value, row)
  if (rule !== undefined) throw new ArchiveError(`the file breaks a rule in ${at}: ${rule}`)
}

/** The database decides whether a column may be null. */
function assertForms({ name: table, declared, options, sealed }: TableFacts, row: ArchiveRow, number: number): void {
  const id = typeof row['id'] === 'string' ? `, ${row['id']}` : ''
  for (const [name, value] of Object.entries(row)) {
    const [column = '', mark] = name.split(':')
    const declaredColumn = declared[column]
    if (declaredColumn === undefined) throw new ArchiveError(`the file holds ${table}.${name}, which is not known here`)
    // What an import makes itself is not read.
    if (value === null || options.madeAnew?.includes(column) === true) continue
    // A text that an export opens is checked as that.
    const isOpenedElsewhere =
      mark === undefined && sealed.some((each) => each.column === column) && table !== 'passwords'
    if (isOpenedElsewhere) throw new ArchiveError(`the file holds an unsealed text in ${table}.${column}`)
    assertAccepted(`${table}.${name} (row ${number}${id})`, declaredColumn, options.accepts?.[column], value, row)
  }
}

const sealedByTable = new Map(tenantTables.map(({ name, sealed }) => [name, sealed]))

/**
 * An export opens every sealed text. One that is still sealed would never open here, and where the column holds a text beside the
 * opened one, it would be unclear which of the two is checked and which is kept.
 */
function assertOpened(table: string, row: ArchiveRow): void {
  for (const { column } of sealedByTable.get(table) ?? []) {
    if (isSealed(row[column])) throw new ArchiveError(`the file holds a sealed text in ${table}.${column}`)
    const opened = row[`${column}:opened`]
    if (opened === undefined) continue
    if (typeof opened !== 'string' || row[column] !== null) {
      throw new ArchiveError(`the file holds two values for ${table}.${column}`)
    }
  }
}

/** As in an import of users. */
const foreignHashLengthMax = 1024

/** Limits the cost of imported passwords like an import of users does. Expects a row that `assertOpened` has accepted. */
function assertVerifiable({ user_id: userId, kind, hash, 'hash:opened': opened }: ArchiveRow): void {
  const encoded = kind === 'own' ? hash : opened
  if (kind === 'foreign' && typeof encoded === 'string' && encoded.length <= foreignHashLengthMax) return
  let excess
  try {
    if (typeof encoded !== 'string') throw new TypeError('a hash is text')
    excess = excessOf(parametersOf(encoded))
  } catch (cause) {
    throw new ArchiveError(`the password of the user ${String(userId)} is of no known form`, { cause })
  }
  if (excess !== undefined) {
    throw new ArchiveError(`the password of the user ${String(userId)} ${excessMessage(excess)}`)
  }
}

/**
 * @param number the row's place among those of its table, beginning with 1.
 * @throws ArchiveError for a row with a value that no export contains.
 */
export function assertValues(table: TableFacts, row: ArchiveRow, number: number): void {
  assertOpened(table.name, row)
  if (table.name === 'passwords') assertVerifiable(row)
  if (table.options.isExported?.(row) === false) {
    throw new ArchiveError(`the file holds row ${number} of ${table.name}, which no export has`)
  }
  assertForms(table, row, number)
}
