// The claims of a tenant's own in tokens: one document, of which every change is stored as a version.
import { type TokenClaim, type ClaimsDocument, type Issue, type TenantClaims, claimBytesMax } from '@bailiwick/contract'
import type { Timestamp } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/database.ts'
import { type Statement, sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type JsonText, fromJson } from '../../../platform/json-text.ts'
import type { TenantRow } from '../queries.ts'
import { type Versioned, changedSettings, readPresent } from '../versions/versions.ts'
import { type CompiledClaims, compileClaims } from './compile.ts'

const parse = (document: JsonText<Partial<ClaimsDocument>>): ClaimsDocument => ({
  claims: [],
  scopes: [],
  ...fromJson(document),
})

/** Each claim and each scope counts as a setting, so that a difference names it. */
function nameSettings({ claims, scopes }: ClaimsDocument): Readonly<Record<string, unknown>> {
  const settings = new Map<string, unknown>()
  for (const { claim } of claims)
    settings.set(
      `claims.${claim}`,
      claims.filter((each) => each.claim === claim),
    )
  for (const { name, description } of scopes) settings.set(`scopes.${name}`, description)
  return Object.fromEntries(settings)
}

/** Scopes that OpenID Connect or the service gives a meaning to. */
const standardScopes = ['openid', 'profile', 'email', 'phone', 'org_name', 'org_slug']
const takenScopes: ReadonlySet<string> = new Set([...standardScopes, 'address', 'offline_access'])

const isConstant = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isPrivate = ({ source }: TokenClaim) => /^(?:user|organization|membership)\.privateMeta\./.test(source)

/** Whether both could appear in one token, which can contain a claim only once. */
function overlap(one: TokenClaim, other: TokenClaim): boolean {
  const meets = (key: 'applicationId' | 'audience') =>
    (one[key] ?? null) === null || (other[key] ?? null) === null || one[key] === other[key]
  const isInSame = one.in.some((token) => other.in.includes(token))
  return (
    one.claim.toLowerCase() === other.claim.toLowerCase() && isInSame && meets('applicationId') && meets('audience')
  )
}

function mappingIssues(mapping: TokenClaim, path: string, own: ReadonlySet<string>): Issue[] {
  const { source, value, applicationId = null, audience, scope, exposePrivate } = mapping
  const issue = (field: string, code: string, message: string) => ({ path: `${path}/${field}`, code, message })
  const isInSession = mapping.in.includes('session')
  const issues: (Issue | false)[] = [
    source === 'constant' &&
      !(isConstant(value) || (Array.isArray(value) && value.every(isConstant))) &&
      issue('value', 'required', 'must be text, a number, true, false or a list of them for a constant'),
    source !== 'constant' && value !== undefined && issue('value', 'not_allowed', 'is only for a constant'),
    isPrivate(mapping) &&
      exposePrivate !== true &&
      issue('exposePrivate', 'required', 'must be true, because browsers and applications can read tokens'),
    isInSession &&
      (applicationId !== null || scope !== undefined) &&
      issue(
        'in',
        'not_allowed',
        'cannot contain session for an application or a scope, because session JWTs have neither',
      ),
    audience !== undefined &&
      mapping.in.some((token) => token !== 'access') &&
      issue('audience', 'not_allowed', 'is only for claims in access tokens'),
    scope !== undefined &&
      !standardScopes.includes(scope) &&
      !own.has(scope) &&
      issue('scope', 'unknown_reference', 'must be one of the scopes of this document or of OpenID Connect'),
  ]
  return issues.filter((each) => each !== false)
}

/** Returns every reason for which a document cannot be used, whatever users it is for. */
export function claimIssues({ claims, scopes }: ClaimsDocument): Issue[] {
  const own = new Set(scopes.map(({ name }) => name))
  const scopeIssues = scopes.flatMap(({ name }, index) => {
    const path = `/scopes/${index}/name`
    if (takenScopes.has(name))
      return [{ path, code: 'reserved', message: 'is a scope of OpenID Connect or of the service' }]
    const isFirst = scopes.findIndex((each) => each.name === name) === index
    return isFirst ? [] : [{ path, code: 'duplicate', message: 'appears twice' }]
  })
  const repeated = claims.flatMap((mapping, index) =>
    claims.slice(0, index).some((earlier) => overlap(earlier, mapping))
      ? [{ path: `/claims/${index}/claim`, code: 'duplicate', message: 'can appear twice in one token' }]
      : [],
  )
  const bytes = Buffer.byteLength(JSON.stringify(claims.map(({ claim, value = null }) => [claim, value])))
  const size = bytes > claimBytesMax ? [{ path: '/claims', code: 'too_large', message: tooLarge(bytes) }] : []
  const each = claims.flatMap((mapping, index) => mappingIssues(mapping, `/claims/${index}`, own))
  return [...scopeIssues, ...repeated, ...size, ...each]
}

export const tooLarge = (bytes: number) => `take ${bytes} bytes; a token has room for ${claimBytesMax}`

export const claimsVersions: Versioned<ClaimsDocument> = {
  table: 'claims_versions',
  eventOf: (change) => ({ type: 'tenant.claims_updated', data: changedSettings(change) }),
  numberOf: (tenant) => tenant.claims_version,
  parse,
  restored: (_before, document) => parse(document),
  settingsOf: nameSettings,
  point: (tenantId: TenantId, version: number, at: Timestamp): Statement =>
    sql`UPDATE tenants SET claims_version = ${version}, updated_at = ${at} WHERE id = ${tenantId}`,
}

/** Reads the present claims of a tenant. */
export const readClaims = (db: Reader, tenant: TenantRow): Promise<ClaimsDocument> =>
  readPresent(db, claimsVersions, tenant)

/** Returns what the directory keeps; undefined for a tenant without claims of its own. */
export async function claimsInUse(db: Reader, tenant: TenantRow): Promise<CompiledClaims | undefined> {
  if (tenant.claims_version === 0) return undefined
  const document = await readClaims(db, tenant)
  return document.claims.length + document.scopes.length === 0 ? undefined : compileClaims(document)
}

export const presentClaims = async (db: Reader, tenant: TenantRow): Promise<TenantClaims> => ({
  ...(await readClaims(db, tenant)),
  version: tenant.claims_version,
})
