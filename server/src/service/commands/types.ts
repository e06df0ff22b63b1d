// Writes a TypeScript declaration of what a tenant's tokens, roles and users contain, which `@bailiwick/sdk/types` picks up by declaration merging.
import { type Attribute, type TokenClaim, claimBytesMax, connectionTypes } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type JsonText, fromJson } from '../../platform/json-text.ts'
import { attributesInUse } from '../../tenancy/tenants/attributes/document.ts'
import { claimsInUse } from '../../tenancy/tenants/claims/document.ts'
import { findTenantRow } from '../../tenancy/tenants/find-tenant.ts'
import { reading } from '../open-deployment.ts'
import type { Outcome } from '../outcome.ts'
import { getNamedTenant } from './terminal/named-tenant.ts'

/** Put together, because packing takes a whole name in quotes for an import of this package, which does not have the SDK. */
const typesModule = ['@bailiwick', 'sdk', 'types'].join('/')

const rolesMax = 1000
const scalars = 'string | number | boolean'
const lists: ReadonlySet<string> = new Set([
  'role.permissions',
  'membership.permissions',
  'organizations.id',
  'organizations.name',
  'organizations.slug',
])
const booleans: ReadonlySet<string> = new Set(['user.emailVerified', 'user.phoneVerified'])

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
const union = (names: Iterable<string>) => [...new Set(names)].toSorted().map(quoted).join(' | ') || 'never'

/** Returns the type of an attribute that has a value. */
function attributeType({ type, choices = [] }: Attribute): string {
  if (type === 'choice') return union(choices.map(({ value }) => value))
  return type === 'number' || type === 'boolean' ? type : 'string'
}

const ofAttribute = 'user.publicMeta.'

/** Returns the type of a claim that has a value. */
function claimType({ as, source, value }: TokenClaim, attributes: readonly Attribute[]): string {
  if (as === 'list') return `readonly (${scalars})[]`
  if (as !== undefined) return as
  if (source === 'constant') return Array.isArray(value) ? `readonly (${scalars})[]` : typeof value
  const attribute = attributes.find(({ key }) => source === `${ofAttribute}${key}`)
  if (attribute !== undefined) return attributeType(attribute)
  if (/Meta(?:\.|$)/.test(source)) return 'unknown'
  if (source.startsWith('idp.claims.')) return 'string | readonly string[]'
  if (source === 'connection.type') return union(connectionTypes)
  if (lists.has(source)) return 'readonly string[]'
  return booleans.has(source) ? 'boolean' : 'string'
}

const claimLine = (claim: TokenClaim, attributes: readonly Attribute[]) => {
  const type = claimType(claim, attributes)
  return `      readonly ${quoted(claim.claim)}?: ${claim.ifMissing === 'null' ? `${type} | null` : type}`
}

const attributeLines = (attribute: Attribute) => [
  ...(attribute.writableBy === 'server' ? ['      /** Only servers and administrators write it. */'] : []),
  `      readonly ${attribute.key}?: ${attributeType(attribute)}`,
]

/** Returns a property whose type is an object, or `unknown` without properties. */
const objectLines = (name: string, lines: readonly string[]) =>
  lines.length === 0 ? [`    ${name}: unknown`] : [`    ${name}: {`, ...lines, '    }']

/** Returns the declaration of a tenant, whose order depends on nothing but the names. */
export async function tenantTypes(db: Reader, tenantId: TenantId): Promise<string> {
  const tenant = await findTenantRow(db, tenantId)
  const compiled = tenant && (await claimsInUse(db, tenant))
  const claims = new Map(compiled?.byToken.session.map(({ mapping }) => [mapping.claim, mapping]))
  const roles = await db.all<{ name: string; permissions: JsonText<string[]> }>(
    sql`SELECT name, permissions FROM roles WHERE tenant_id = ${tenantId} AND organization_id IS NULL
      ORDER BY created_at LIMIT ${rolesMax}`,
  )
  const attributes = tenant === undefined ? [] : await attributesInUse(db, tenant)
  const inOrder = attributes.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const lines = [...claims.keys()].toSorted().flatMap((name) => claims.get(name) ?? [])
  return [
    '// Written by `bailiwick types`. Run it again after the claims, roles or attributes of the tenant have changed.',
    `import '${typesModule}'`,
    '',
    `declare module '${typesModule}' {`,
    '  interface TenantTypes {',
    `    /** Each may be missing: tokens have none of them if they are larger than ${claimBytesMax} bytes. */`,
    ...objectLines(
      'claims',
      lines.map((claim) => claimLine(claim, attributes)),
    ),
    '    /** The attributes of users. Each may be missing, and one from before a change of its type may break it. */',
    ...objectLines('publicMeta', inOrder.flatMap(attributeLines)),
    `    roles: ${union(roles.map(({ name }) => name))}`,
    `    permissions: ${union(roles.flatMap(({ permissions }) => fromJson(permissions)))}`,
    '  }',
    '}',
    '',
  ].join('\n')
}

/** @param tenant its id or slug. */
export const types = (config: Config, tenant: string): Promise<Outcome> =>
  reading(config, async ({ db }) => {
    const declaration = await tenantTypes(db, (await getNamedTenant(db, tenant)).id)
    return { text: declaration.trimEnd(), json: { declaration } }
  })
