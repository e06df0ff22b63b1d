// The ways in which a text finds users. Each has an index of its own, in which matches are counted and read. Several words find the users
// whom each of them finds: the rarest is looked up, and the others are conditions.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isId } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type KeyRange, phonePrefix, plainKey, prefixRange, searchKey } from '../search/search-keys.ts'
import { hasTerm } from '../search/term-tables.ts'
import { rangesOfTerms, wordsIn, wordsMax } from '../search/terms.ts'
import { type UserFilter, isFiltered, judgedColumns } from './user-filter.ts'

/** A total counts no further than this. */
export const matchesMax = 1000
/** Reading this many matches costs about as much as passing over the users between twenty of them, in a tenant with a million. */
const namesMax = 3000
const contactsMax = 2000

export interface Candidate {
  readonly created_at: string
  readonly status: string
  readonly role_id: string | null
  readonly is_anonymous: number
  readonly has_value: number
}

/** One way in which a text finds users. */
export interface Source {
  /** A SELECT with a row for each match, read from the index alone; a limit must follow it. */
  readonly matches: Fragment
  /** Reads the matches, if there are at most `max`. */
  readonly read: (db: Reader) => Promise<Candidate[]>
  readonly max: number
  /** Whether no user is matched twice, so that the number of matches is a number of users. */
  readonly isOncePerUser: boolean
  /** The same as a condition on a row of users. */
  readonly condition: Fragment
}

/** What all sources of one search have in common. */
interface Scope {
  readonly tenantId: TenantId
  readonly filter: UserFilter
  /** A condition on the user beside the text. Candidates are then read step by step, because few of many may meet it. */
  readonly also?: Fragment
}

/** An index, and the part of it that a text matches. */
interface Range {
  readonly from: Fragment
  readonly where: Fragment
  /** Users share a key of some indexes, which then continue with the time. */
  readonly key: Fragment
  readonly time?: Fragment
}

const stepSize = 1000

/** Reads the range step by step, and keeps the users who meet the condition. */
async function readNarrowed(
  db: Reader,
  { from, where, key, time }: Range,
  filter: UserFilter,
  also: Fragment,
): Promise<Candidate[]> {
  const kept: Candidate[] = []
  const order = time === undefined ? key : sql`${key}, ${time}`
  let after = sql``
  for (;;) {
    const rows = await db.all<
      Candidate & { key: string; is_match: number }
    >(sql`SELECT ${key} AS key, ${judgedColumns(filter)},
      CASE WHEN ${also} THEN 1 ELSE 0 END AS is_match
      FROM ${from} WHERE ${where} ${after} ORDER BY ${order} LIMIT ${stepSize}`)
    for (const row of rows) if (row.is_match === 1) kept.push(row)
    const last = rows[stepSize - 1]
    if (last === undefined) return kept
    after =
      time === undefined
        ? sql`AND ${key} > ${last.key}`
        : sql`AND (${key}, ${time}) > (${last.key}, ${last.created_at})`
    // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
    await nextTurn()
  }
}

const rangeReader =
  ({ filter, also }: Scope, range: Range, max: number): Source['read'] =>
  (db) => {
    if (also !== undefined) return readNarrowed(db, range, filter, also)
    const { from, where, key, time = sql`users.created_at` } = range
    // Without a filter the indexes of names and terms are sufficient.
    const columns = isFiltered(filter) ? judgedColumns(filter) : time
    return db.all<Candidate>(sql`SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${key} LIMIT ${max}`)
  }

function inUsers(scope: Scope, column: string, keys: KeyRange, max: number): Source {
  const key = sql.identifier(column)
  const condition = sql`(${key} >= ${keys.from} AND ${key} < ${keys.to})`
  const where = sql`users.tenant_id = ${scope.tenantId} AND ${condition}`
  const [from, time] = [sql`users`, sql`users.created_at`]
  return {
    matches: sql`SELECT 1 FROM users WHERE ${where}`,
    // Nobody shares a username, so that its index has no time.
    read: rangeReader(scope, { from, where, key, ...(column !== 'username_key' && { time }) }, max),
    max,
    isOncePerUser: true,
    condition,
  }
}

function inContacts(scope: Scope, name: string, column: string, range: KeyRange): Source {
  const [table, key] = [sql.identifier(name), sql.identifier(column)]
  const where = sql`contact.tenant_id = ${scope.tenantId} AND contact.${key} >= ${range.from} AND contact.${key} < ${range.to}`
  const from = sql`${table} AS contact JOIN users ON users.tenant_id = contact.tenant_id AND users.id = contact.user_id`
  return {
    matches: sql`SELECT 1 FROM ${table} AS contact WHERE ${where}`,
    read: rangeReader(scope, { from, where, key: sql`contact.${key}` }, contactsMax),
    max: contactsMax,
    isOncePerUser: false,
    // An expression keeps the engine from using the key's index, so that it looks at the few contacts of one user and not at all that
    // begin so.
    condition: sql`EXISTS (SELECT 1 FROM ${table} AS contact WHERE contact.tenant_id = ${scope.tenantId}
      AND contact.user_id = users.id AND contact.${key} || '' >= ${range.from} AND contact.${key} || '' < ${range.to})`,
  }
}

/** One range of the terms that a word finds: those that begin with it, or domains that do. */
function inTerms(scope: Scope, word: string, { from, to }: KeyRange): Source {
  const where = sql`terms.tenant_id = ${scope.tenantId} AND terms.term >= ${from} AND terms.term < ${to}`
  const isAlone = scope.also === undefined && !isFiltered(scope.filter)
  const users = sql`JOIN users ON users.tenant_id = terms.tenant_id AND users.created_at = terms.created_at`
  const range = {
    from: sql`user_terms AS terms ${isAlone ? sql`` : users}`,
    where,
    key: sql`terms.term`,
    time: sql`terms.created_at`,
  }
  return {
    matches: sql`SELECT 1 FROM user_terms AS terms WHERE ${where}`,
    read: rangeReader(scope, range, namesMax),
    max: namesMax,
    isOncePerUser: false,
    condition: hasTerm(word),
  }
}

function byId({ tenantId, filter }: Scope, id: string): Source {
  const where = sql`tenant_id = ${tenantId} AND id = ${id}`
  return {
    matches: sql`SELECT 1 FROM users WHERE ${where}`,
    read: (db) => db.all<Candidate>(sql`SELECT ${judgedColumns(filter)} FROM users WHERE ${where} LIMIT 1`),
    max: 1,
    isOncePerUser: true,
    condition: sql`id = ${id}`,
  }
}

const inPhones = (scope: Scope, beginning: string) =>
  inContacts(scope, 'phone_numbers', 'phone', prefixRange(beginning))

/** The ways in which one word, or a text as a whole, begins a name, an address or a number. */
function sourcesOfKey(scope: Scope, text: string): Source[] {
  // Names are stored with their accents. One without is found by a term as well, but it may have none yet.
  const ranges = [...new Set([searchKey(text), plainKey(text)])].map(prefixRange)
  const phone = phonePrefix(text)
  return [
    ...ranges.flatMap((range) => [
      inUsers(scope, 'name_key', range, namesMax),
      inUsers(scope, 'last_word_key', range, namesMax),
      inUsers(scope, 'username_key', range, contactsMax),
      inContacts(scope, 'email_addresses', 'email_key', range),
    ]),
    ...(phone === undefined ? [] : [inPhones(scope, phone)]),
  ]
}

const sourcesOfWord = (scope: Scope, word: string): Source[] => [
  ...sourcesOfKey(scope, word),
  ...rangesOfTerms(word).map((range) => inTerms(scope, word, range)),
]

/** Returns the sources of a text, except what it finds as several words. */
export function sourcesOf(tenantId: TenantId, text: string, filter: UserFilter): readonly Source[] {
  const scope = { tenantId, filter }
  const words = wordsIn(text)
  const id = text.trim()
  return [
    ...(words.length === 1 ? sourcesOfWord(scope, words[0] ?? '') : sourcesOfKey(scope, text)),
    ...(isId(id) ? [byId(scope, id)] : []),
  ]
}

/** Returns the condition that a word finds a user: by the user's terms alone, once they are stored. */
function isFoundBy(scope: Scope, word: string): Fragment {
  const conditions = (sources: readonly Source[]) =>
    sql.join(
      sources.map(({ condition }) => condition),
      ' OR ',
    )
  const known = sql`CASE WHEN search_terms IS NULL THEN ${conditions(sourcesOfKey(scope, word))} ELSE ${hasTerm(word)} END`
  const phone = phonePrefix(word)
  return phone === undefined ? known : sql`(${known} OR ${inPhones(scope, phone).condition})`
}

/** Returns the condition that each of several words finds a user; undefined for one word or too many, which find nobody as words. */
export function conditionOfWords(tenantId: TenantId, text: string, filter: UserFilter): Fragment | undefined {
  const words = wordsIn(text)
  if (words.length < 2 || words.length > wordsMax) return undefined
  return sql`(${sql.join(
    words.map((word) => isFoundBy({ tenantId, filter }, word)),
    ' AND ',
  )})`
}

/** So many matches of a word are read at most to find those that other words find too; a more frequent word is looked for in each user. */
const narrowedMax = 10_000
/** So many of the words, the longest, are counted. */
const countedMax = 3
/** A word that is no more frequent than this is rare enough. */
const rareMax = 1000

/** Returns the sources that match anybody, and how many matches they have in all, as far as these are counted. */
async function countWord(db: Reader, sources: readonly Source[]) {
  const counts = sources.map(
    ({ matches }, index) =>
      sql`SELECT CAST(${index} AS INTEGER) AS source, COUNT(*) AS count FROM (${matches} LIMIT ${narrowedMax + 1}) AS found`,
  )
  const rows = await db.all<{ source: number; count: number }>(sql.join(counts, ' UNION ALL '))
  const found = new Set(rows.filter(({ count }) => count > 0).map(({ source }) => source))
  return { found, total: rows.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * Returns the sources of users whom each of several words finds: those of a rare word, which the other words narrow.
 * Without a user who has one of the words, and for one word or too many, there are none.
 */
export async function sourcesOfWords(
  db: Reader,
  tenantId: TenantId,
  text: string,
  filter: UserFilter,
): Promise<Source[]> {
  // Long words tend to be rare.
  const words = wordsIn(text).toSorted((a, b) => b.length - a.length)
  if (words.length < 2 || words.length > wordsMax) return []
  let rarest: { readonly word: string; readonly found: ReadonlySet<number>; readonly total: number } | undefined
  for (const word of words.slice(0, countedMax)) {
    const counted = await countWord(db, sourcesOfWord({ tenantId, filter }, word))
    if (counted.total === 0) return []
    if (rarest === undefined || counted.total < rarest.total) rarest = { word, ...counted }
    if (rarest.total <= rareMax) break
    await nextTurn()
  }
  if (rarest === undefined) return []
  const { word: rare, found } = rarest
  const also = sql.join(
    words.filter((word) => word !== rare).map((word) => isFoundBy({ tenantId, filter }, word)),
    ' AND ',
  )
  const condition = sql`(${isFoundBy({ tenantId, filter }, rare)} AND ${also})`
  return sourcesOfWord({ tenantId, filter, also }, rare)
    .filter((_source, index) => found.has(index))
    .map((source) => ({ ...source, max: narrowedMax, isOncePerUser: false, condition }))
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
