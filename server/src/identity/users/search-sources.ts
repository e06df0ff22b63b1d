// The ways in which a text finds users. Each has an index of its own, in which matches are counted and read.
import { isId } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, type Statement, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { phonePrefix, prefixRange, searchKey } from './search-keys.ts'
import { type UserFilter, isFiltered } from './user-filter.ts'

/** A total counts no further than this. */
export const matchesMax = 1000
/** Reading this many matches costs about as much as passing over the users between twenty of them, in a tenant with a million. */
const namesMax = 3000
const contactsMax = 2000

export interface Candidate {
  readonly created_at: string
  readonly status: string
  readonly role_id: string | null
}

/** One way in which a text finds users. */
export interface Source {
  /** A SELECT with a row for each match, read from the index alone; a limit must follow it. */
  readonly matches: Fragment
  readonly candidates: Statement
  /** How many candidates are read at most. */
  readonly max: number
  /** Whether no user is matched twice, so that the number of matches is a number of users. */
  readonly isOncePerUser: boolean
  /** The same as a condition on a row of users. */
  readonly condition: Fragment
}

export function sourcesOf(tenantId: TenantId, text: string, filter: UserFilter): readonly Source[] {
  // Without a filter the indexes of names are sufficient.
  const columns = isFiltered(filter) ? sql`users.created_at, users.status, users.role_id` : sql`users.created_at`
  const { from, to } = prefixRange(searchKey(text))

  const ofUsers = (column: string, max: number): Source => {
    const key = sql.identifier(column)
    const condition = sql`(${key} >= ${from} AND ${key} < ${to})`
    return {
      matches: sql`SELECT 1 FROM users WHERE tenant_id = ${tenantId} AND ${condition}`,
      candidates: sql`SELECT ${columns} FROM users WHERE tenant_id = ${tenantId} AND ${condition} ORDER BY ${key}
        LIMIT ${max}`,
      max,
      isOncePerUser: true,
      condition,
    }
  }
  const ofContacts = (name: string, column: string, range: { from: string; to: string }): Source => {
    const [table, key] = [sql.identifier(name), sql.identifier(column)]
    const found = sql`contact.tenant_id = ${tenantId} AND contact.${key} >= ${range.from} AND contact.${key} < ${range.to}`
    return {
      matches: sql`SELECT 1 FROM ${table} AS contact WHERE ${found}`,
      candidates: sql`SELECT ${columns} FROM ${table} AS contact
        JOIN users ON users.tenant_id = contact.tenant_id AND users.id = contact.user_id
        WHERE ${found} ORDER BY contact.${key} LIMIT ${contactsMax}`,
      max: contactsMax,
      isOncePerUser: false,
      // An expression keeps the engine from using the key's index, so that it looks at the few contacts of one user and not at all that
      // begin so.
      condition: sql`EXISTS (SELECT 1 FROM ${table} AS contact WHERE contact.tenant_id = users.tenant_id
        AND contact.user_id = users.id AND contact.${key} || '' >= ${range.from} AND contact.${key} || '' < ${range.to})`,
    }
  }
  const ofId = (id: string): Source => ({
    matches: sql`SELECT 1 FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`,
    candidates: sql`SELECT ${columns} FROM users WHERE tenant_id = ${tenantId} AND id = ${id}`,
    max: 1,
    isOncePerUser: true,
    condition: sql`id = ${id}`,
  })
  const id = text.trim()
  const phone = phonePrefix(text)
  return [
    ofUsers('name_key', namesMax),
    ofUsers('last_word_key', namesMax),
    ofUsers('username_key', contactsMax),
    ofContacts('email_addresses', 'email_key', { from, to }),
    ...(phone === undefined ? [] : [ofContacts('phone_numbers', 'phone', prefixRange(phone))]),
    ...(isId(id) ? [ofId(id)] : []),
  ]
}

/**
 * Returns the sources that match anybody. PostgreSQL keeps the plan of this statement. A count of matches it plans again for each
 * text, because it expects that a frequent text needs another plan than a rare one; that takes several times as long as to run it.
 */
export async function matchingSources(db: Reader, sources: readonly Source[]): Promise<Source[]> {
  if (sources.length === 0) return []
  const probes = sources.map(
    ({ matches }, index) => sql`SELECT CAST(${index} AS INTEGER) AS source WHERE EXISTS (${matches})`,
  )
  const rows = await db.all<{ source: number }>(sql.join(probes, ' UNION ALL '))
  const found = new Set(rows.map(({ source }) => source))
  return sources.filter((_source, index) => found.has(index))
}

/** Divides the sources, in one step, by whether they have more than `limitOf` matches. */
export async function countMatches(db: Reader, sources: readonly Source[], limitOf: (source: Source) => number) {
  if (sources.length === 0) return { few: [], many: [] }
  const counts = sources.map(
    (source, index) =>
      sql`SELECT CAST(${index} AS INTEGER) AS source, COUNT(*) AS count FROM (${source.matches} LIMIT ${limitOf(source) + 1}) AS found`,
  )
  const rows = await db.all<{ source: number; count: number }>(sql.join(counts, ' UNION ALL '))
  const bySource = new Map(rows.map(({ source, count }) => [source, count]))
  const countOf = (index: number) => bySource.get(index) ?? 0
  return {
    few: sources.filter((source, index) => countOf(index) > 0 && countOf(index) <= limitOf(source)),
    many: sources.filter((source, index) => countOf(index) > limitOf(source)),
  }
}
