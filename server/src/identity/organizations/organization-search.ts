// Organizations by the beginning of their name or slug, and those of one user. Both are read from indexes and bounded, so that searching
// costs the same in a tenant of any size. Names are stored as they are written, so they are looked for in the usual ways of writing them.
import { slugKey } from '@bailiwick/contract'
import { type Fragment, sql } from '../../platform/db/sql.ts'
import type { ListSource } from '../../platform/db/table.ts'
import type { TenantId } from '../../platform/ids.ts'
import { prefixRange } from '../users/search-keys.ts'
import { type OrganizationRow, organizationSource } from './queries.ts'

/** How many organizations are taken from each index. */
const foundMax = 1000
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

function idsOf(tenantId: TenantId, text: string): Fragment {
  const parts = [
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
