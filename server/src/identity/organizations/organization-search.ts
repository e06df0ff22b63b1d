// Organizations by the words of their name or slug, and those of one user. Both are read from indexes and bounded, so that searching
// costs the same in a tenant of any size. Words are looked for among the terms that are stored for each organization. Those that have none
// yet are found by the beginning of their name, in the usual ways of writing it, or of their slug.
import { slugKey } from '@bailiwick/contract'
import type { Database } from '../../platform/db/database.ts'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { ListSource } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { prefixRange } from '../search/search-keys.ts'
import { hasTerm, insertTerms, joinTerms, organizationTerms } from '../search/term-tables.ts'
import { cut, divideTerms, termsInName, wordsIn, wordsMax } from '../search/terms.ts'
import { type OrganizationRow, organizationSource } from './queries.ts'
import { organizations } from './tables.ts'

/** How many organizations are taken from each index. */
const foundMax = 1000
/** How many terms are read to find these. */
const termsReadMax = 10_000
/** How many organizations get terms in one transaction. */
const stepSize = 50
/** How many memberships of a user are read. */
const membershipsMax = 10_000

export interface OrganizationFilter {
  readonly query?: string
  readonly userId?: string
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The text as typed, in small and in capital letters, and with its first letter or that of each word as a capital. */
function spellingsOf(text: string): string[] {
  const words = text.toLowerCase().split(' ')
  return [
    ...new Set([text, text.toLowerCase(), text.toUpperCase(), capitalised(text), words.map(capitalised).join(' ')]),
  ]
}

const slugsOf = (text: string) => [...new Set([slugKey(text), text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, '-')])]

function beginning(tenantId: TenantId, column: 'name' | 'slug_key', text: string): Fragment {
  const { from, to } = prefixRange(text)
  const name = sql.identifier(column)
  return sql`SELECT id FROM (SELECT id FROM organizations
    WHERE tenant_id = ${tenantId} AND ${name} >= ${from} AND ${name} < ${to} ORDER BY ${name} LIMIT ${foundMax}) AS part`
}

const ofUser = (tenantId: TenantId, userId: string): Fragment => sql`SELECT organization_id AS id
  FROM organization_members WHERE tenant_id = ${tenantId} AND user_id = ${userId} LIMIT ${membershipsMax}`

/** Returns the terms of an organization in the form of the column `search_terms`. */
export const termsOfOrganization = ({
  name,
  slug,
  slug_key: key,
}: Pick<OrganizationRow, 'name' | 'slug' | 'slug_key'>) =>
  joinTerms(divideTerms([...termsInName(name), ...termsInName(slug)], [key]))

/** Organizations that each word finds: the longest word, which should be the rarest, is looked up, and the others are conditions. */
function byWords(tenantId: TenantId, text: string): Fragment[] {
  const words = wordsIn(text)
  const longest = words.toSorted((a, b) => b.length - a.length)[0]
  if (longest === undefined || words.length > wordsMax) return []
  const slugRange = (word: string) => {
    const { from, to } = prefixRange(word)
    return sql`slug_key >= ${from} AND slug_key < ${to}`
  }
  const others = words.filter((word) => word !== longest).map((word) => sql`(${hasTerm(word)} OR (${slugRange(word)}))`)
  const where = sql.join([sql`tenant_id = ${tenantId}`, ...others], ' AND ')
  const { from, to } = prefixRange(cut(longest))
  const found = sql`SELECT tenant_id AS term_tenant_id, created_at AS term_created_at FROM organization_terms
    WHERE tenant_id = ${tenantId} AND term >= ${from} AND term < ${to} ORDER BY term LIMIT ${termsReadMax}`
  return [
    sql`SELECT id FROM (SELECT organizations.id FROM (${found}) AS terms CROSS JOIN organizations
      WHERE created_at = term_created_at AND ${where} LIMIT ${foundMax}) AS part`,
    sql`SELECT id FROM (SELECT id FROM organizations WHERE ${slugRange(longest)} AND ${where} ORDER BY slug_key
      LIMIT ${foundMax}) AS part`,
  ]
}

function idsOf(tenantId: TenantId, text: string): Fragment {
  const parts = [
    ...byWords(tenantId, text),
    ...slugsOf(text).map((slug) => beginning(tenantId, 'slug_key', slug)),
    ...spellingsOf(text).map((name) => beginning(tenantId, 'name', name)),
  ]
  return sql`SELECT DISTINCT id FROM (${sql.join(parts, ' UNION ALL ')}) AS parts`
}

/** The organizations of a tenant that the filter leaves, or undefined if it leaves all. */
export function foundOrganizations(
  tenantId: TenantId,
  { query = '', userId }: OrganizationFilter,
): ListSource<OrganizationRow> | undefined {
  const text = query.trim().replaceAll(/\s+/g, ' ')
  const ids = text !== '' ? idsOf(tenantId, text) : userId === undefined ? undefined : ofUser(tenantId, userId)
  if (ids === undefined) return undefined
  const all = organizationSource(tenantId)
  const isOfUser = text !== '' && userId !== undefined ? sql`AND id IN (${ofUser(tenantId, userId)})` : sql``
  return {
    ...all,
    // A cross join, because SQLite keeps its order: the few that are found come before the organizations.
    table: sql`(SELECT organizations.* FROM (${ids}) AS found CROSS JOIN organizations
      WHERE organizations.tenant_id = ${tenantId} AND organizations.id = found.id) AS organizations`,
    where: sql`${all.where} ${isOfUser}`,
  }
}

/**
 * Stores the terms of some organizations that have none yet: of an earlier version, or from an archive.
 * @returns whether there may be more of them.
 */
export async function addMissingTerms({ db }: { readonly db: Database }): Promise<boolean> {
  const rows = await organizations.all(db)`search_terms IS NULL LIMIT ${stepSize}`
  if (rows.length === 0) return false
  await db.transaction(async (tx) => {
    for (const row of rows) {
      const terms = termsOfOrganization(row)
      const isOurs = await tx.run(sql`UPDATE organizations SET search_terms = ${terms}
        WHERE tenant_id = ${row.tenant_id} AND id = ${row.id} AND search_terms IS NULL AND updated_at = ${row.updated_at}`)
      if (isOurs === 0) continue
      for (const each of insertTerms(organizationTerms, [{ ...row, search_terms: terms }])) await tx.run(each)
    }
  })
  return rows.length === stepSize
}
