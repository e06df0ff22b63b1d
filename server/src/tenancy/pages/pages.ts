// The texts and the design of a tenant's hosted pages and messages, besides its brand: one document, of which every change is stored as a
// version.
import {
  type Issue,
  type PageSettings,
  type PagesDocument,
  type UpdatePageSettings,
  defaultPagesDocument,
} from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { DocumentBasis } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { type TenantRow } from '../tenants/find-tenant.ts'
import { type FindFile, assertShowable } from '../tenants/lifecycle.ts'
import { shownAddress } from '../tenants/shown-address.ts'
import type { TenantEntry } from '../tenants/tenant-entry.ts'
import { getTenant } from '../tenants/tenants.ts'
import { type Versioned, changedSettings, readPresent, writeVersion } from '../tenants/versions/versions.ts'
import * as queries from './queries.ts'

const parse = (document: JsonText<Partial<PagesDocument>>): PagesDocument => ({
  ...defaultPagesDocument(),
  ...fromJson(document),
})

/** Each text counts as a setting of its own, so that a version with one more text differs in that text. */
function settingsOf({ texts, ...settings }: PagesDocument): Readonly<Record<string, unknown>> {
  const named = Object.entries(texts).flatMap(([language, byKey]) =>
    Object.entries(byKey).map(([key, text]) => [`texts.${language}.${key}`, text] as const),
  )
  return { ...settings, ...Object.fromEntries(named) }
}

function languageIssues({ defaultLanguage, languages }: PagesDocument): Issue[] {
  if (languages.length === 0 || languages.includes(defaultLanguage)) return []
  return [{ path: '/defaultLanguage', code: 'not_offered', message: 'must be one of the languages' }]
}

export const pagesVersions: Versioned<PagesDocument> = {
  table: 'pages_versions',
  eventOf: (change) => ({ type: 'tenant.pages_updated', data: changedSettings(change) }),
  numberOf: (tenant) => tenant.pages_version,
  // If a file was deleted while an archive of the tenant was written, only the document still names it.
  asOf: ({ dark_logo_id: darkLogoId }, document) => ({ ...document, darkLogoId }),
  parse,
  // A setting that did not exist at the time stays as it is.
  restored: (before, document) => (document === '{}' ? parse(document) : { ...before, ...fromJson(document) }),
  settingsOf,
  point: (tenantId, version, at, { darkLogoId }) => queries.updateTenantPagesVersion(tenantId, version, at, darkLogoId),
}

/** Does the same with the rules for a change: the logo is looked up with `findFile`. */
export const changeablePages = (findFile: FindFile): Versioned<PagesDocument> => ({
  ...pagesVersions,
  async issuesOf(_deps, tx, tenantId, before, after) {
    const { darkLogoId: id } = after
    if (id !== null && id !== before.darkLogoId) await assertShowable('darkLogoId', () => findFile(tx, tenantId, id))
    return languageIssues(after)
  },
})

/** Reads the settings of a tenant's pages as the caller's transaction sees them. */
export const readPages = (db: Reader, tenant: TenantRow): Promise<PagesDocument> =>
  readPresent(db, pagesVersions, tenant)

/** Returns the settings of the pages of a tenant in use, from memory if possible. */
export function pagesOf({ db }: { readonly db: Reader }, entry: TenantEntry): Promise<PagesDocument> {
  entry.pages ??= readPages(db, entry.row).catch((error: unknown) => {
    entry.pages = undefined
    throw error
  })
  return entry.pages
}

/** Returns the settings as answers show them. */
export async function presentPages(deps: Deps, entry: TenantEntry): Promise<PageSettings> {
  const { id, pages_version: version } = entry.row
  const settings = await pagesOf(deps, entry)
  const { darkLogoId } = settings
  const darkLogoUri = darkLogoId === null ? null : shownAddress(deps.config, id, 'darkLogoId', darkLogoId)
  return { ...settings, darkLogoUri, version }
}

/** @throws ApiError not_found */
export const getPages = async (deps: Deps, tenantId: TenantId): Promise<PageSettings> =>
  presentPages(deps, await getTenant(deps, tenantId))

/**
 * Changes the given settings. An empty change makes no version.
 * @param findFile looks the logo up.
 * @throws ApiError not_found; validation_failed for a dark logo that is not a public file of the tenant, and for a default language that is
 * not offered.
 */
export async function updatePages(
  deps: Deps,
  tenantId: TenantId,
  input: UpdatePageSettings,
  actor: Actor,
  findFile: FindFile,
  basis?: DocumentBasis,
): Promise<PageSettings> {
  const change = (before: PagesDocument) => ({ ...before, ...input })
  const entry = await writeVersion(deps, changeablePages(findFile), tenantId, actor, change, basis)
  return presentPages(deps, entry)
}
