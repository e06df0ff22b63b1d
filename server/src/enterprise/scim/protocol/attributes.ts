// The attributes that this service knows, as one closed table (RFC 7643 sections 4 and 8.7). Reading, PATCH, filters and the documents at
// /Schemas all follow from it; whatever it does not list cannot be stored.

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export interface Attribute {
  /** As it is written in JSON. */
  readonly name: string
  /** Under which it is stored: the name, after its schema's URN in an extension. */
  readonly key: string
  readonly schema: string
  readonly type: 'string' | 'boolean' | 'reference' | 'complex'
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readWrite' | 'readOnly' | 'writeOnly' | 'immutable'
  readonly uniqueness: 'none' | 'server'
  /** Of a complex attribute, by their names in lower case. */
  readonly sub: AttributeTable
}

/** By names in lower case: names do not depend on case (RFC 7643 section 2.1). */
export type AttributeTable = ReadonlyMap<string, Attribute>

type Options = Partial<Omit<Attribute, 'name' | 'key' | 'schema' | 'sub'>> & { readonly sub?: readonly Attribute[] }

const makeTable = (attributes: readonly Attribute[]): AttributeTable =>
  new Map(attributes.map((each) => [each.name.toLowerCase(), each]))

const attribute = (schema: string, name: string, { sub = [], ...options }: Options = {}): Attribute => ({
  name,
  key: schema === enterpriseUrn ? `${schema}:${name}` : name,
  schema,
  type: sub.length > 0 ? 'complex' : 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  uniqueness: 'none',
  ...options,
  sub: makeTable(sub),
})

const user = (name: string, options?: Options) => attribute(userUrn, name, options)
const texts = (...names: string[]) => names.map((name) => user(name))
const readOnly = { mutability: 'readOnly' } as const

/** An attribute with several values, of which one may be primary. */
const plural = (name: string, value: Options = {}, more: readonly Attribute[] = []) =>
  user(name, {
    multiValued: true,
    sub: [user('value', value), user('display'), user('type'), user('primary', { type: 'boolean' }), ...more],
  })

const common = (schema: string) => [
  attribute(schema, 'id', { ...readOnly, caseExact: true, uniqueness: 'server' }),
  attribute(schema, 'externalId', { caseExact: true }),
]

const userAttributes = [
  ...common(userUrn),
  user('userName', { required: true, uniqueness: 'server' }),
  user('name', {
    sub: texts('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'),
  }),
  ...texts('displayName', 'nickName'),
  user('profileUrl', { type: 'reference' }),
  ...texts('title', 'userType', 'preferredLanguage', 'locale', 'timezone'),
  user('active', { type: 'boolean' }),
  user('password', { mutability: 'writeOnly', caseExact: true }),
  plural('emails'),
  plural('phoneNumbers'),
  plural('ims'),
  plural('photos', { type: 'reference' }),
  plural('addresses', {}, texts('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country')),
  plural('entitlements'),
  plural('roles'),
  plural('x509Certificates'),
]

const enterprise = (name: string, options?: Options) => attribute(enterpriseUrn, name, options)

const enterpriseAttributes = [
  ...['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((name) => enterprise(name)),
  enterprise('manager', {
    sub: [enterprise('value'), enterprise('$ref', { type: 'reference' }), enterprise('displayName', readOnly)],
  }),
]

const group = (name: string, options?: Options) => attribute(groupUrn, name, options)

const groupAttributes = [
  ...common(groupUrn),
  group('displayName', { required: true }),
  group('members', {
    multiValued: true,
    sub: [
      group('value', { mutability: 'immutable', caseExact: true }),
      group('$ref', { ...readOnly, type: 'reference' }),
      group('display', readOnly),
      group('type', { mutability: 'immutable' }),
    ],
  }),
]

export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly urn: string
  readonly core: AttributeTable
  /** By the URN of their schema in lower case. */
  readonly extensions: ReadonlyMap<string, AttributeTable>
}

export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  urn: userUrn,
  core: makeTable(userAttributes),
  extensions: new Map([[enterpriseUrn.toLowerCase(), makeTable(enterpriseAttributes)]]),
}

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  urn: groupUrn,
  core: makeTable(groupAttributes),
  extensions: new Map(),
}

/**
 * Splits the name of an attribute from the URN of its schema, which may precede it, and returns the attributes of that schema.
 * @returns undefined for a schema that the resource does not have.
 */
export function splitUrn(
  type: ResourceType,
  text: string,
): { readonly table: AttributeTable; readonly rest: string } | undefined {
  if (!/^urn:/i.test(text)) return { table: type.core, rest: text }
  const schemas: [string, AttributeTable][] = [[type.urn.toLowerCase(), type.core], ...type.extensions]
  const lower = text.toLowerCase()
  for (const [urn, table] of schemas) {
    if (lower.startsWith(`${urn}:`)) return { table, rest: text.slice(urn.length + 1) }
  }
  return undefined
}
