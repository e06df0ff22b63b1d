// Checks values of an imported row that the database does not check, because the rest of the server writes nothing else: the form of times,
// of JSON and of passwords. Code that reads a value of another form fails, long after the import.
import { parseCursor } from '@bailiwick/contract'
import { excessMessage, excessOf, parametersOf } from '../../platform/crypto/password-cost.ts'
import { isSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'

const isTimeColumn = (column: string) => /_(?:at|until|since)$/.test(column)

const listColumns = new Set([
  'additional_scopes',
  'events',
  'permissions',
  'scopes',
  'steps',
  'transformations',
  'transports',
])
const objectColumns = new Set([
  'brand',
  'config',
  'document',
  'meta',
  'private_meta',
  'public_meta',
  'sealed_secrets:opened',
  'settings',
])

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Times are compared as text, so they must have the one form in which they are stored. */
const isStoredTime = (value: unknown) => typeof value === 'string' && parseCursor(value)?.from === value

/** The database decides whether a column may be null. */
function assertForms(table: string, row: ArchiveRow): void {
  for (const [column, value] of Object.entries(row)) {
    if (value === null) continue
    if (isTimeColumn(column) && !isStoredTime(value)) {
      throw new ArchiveError(`the file holds something other than a time in ${table}.${column}`)
    }
    if (listColumns.has(column) && !Array.isArray(parsed(value))) {
      throw new ArchiveError(`the file holds something other than a JSON array in ${table}.${column}`)
    }
    if (objectColumns.has(column) && !isObject(parsed(value))) {
      throw new ArchiveError(`the file holds something other than a JSON object in ${table}.${column}`)
    }
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

/** Limits the cost of imported passwords like an import of users does. Expects a row that `assertOpened` has accepted. */
function assertVerifiable({ user_id: userId, kind, hash, 'hash:opened': opened }: ArchiveRow): void {
  const encoded = kind === 'own' ? hash : opened
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

/** @throws ArchiveError for a row with a value that no export contains. */
export function assertValues(table: string, row: ArchiveRow): void {
  assertOpened(table, row)
  if (table === 'passwords') assertVerifiable(row)
  assertForms(table, row)
}
