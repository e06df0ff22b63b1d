// What the service says about itself (RFC 7643 sections 5 to 7).
import {
  type Attribute,
  type AttributeTable,
  type ResourceType,
  enterpriseUrn,
  groupType,
  userType,
} from './attributes.ts'
import type { Json } from './json.ts'
import { countMax } from './list.ts'

const coreUrn = 'urn:ietf:params:scim:schemas:core:2.0'
const off = { supported: false }

/** @param base the address of the connection's SCIM interface. */
export const serviceProviderConfig = (base: string): Json => ({
  schemas: [`${coreUrn}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: countMax },
  changePassword: off,
  sort: off,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the connection, in the header Authorization',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceType = (base: string, { name, endpoint, urn, extensions }: ResourceType): Json => ({
  schemas: [`${coreUrn}:ResourceType`],
  id: name,
  name,
  endpoint,
  schema: urn,
  schemaExtensions: extensions.size === 0 ? [] : [{ schema: enterpriseUrn, required: false }],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

const returned = ({ mutability, name }: Attribute) =>
  mutability === 'writeOnly' ? 'never' : name === 'id' ? 'always' : 'default'

const described = (attribute: Attribute): Json => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.multiValued,
  required: attribute.required,
  caseExact: attribute.caseExact,
  mutability: attribute.mutability,
  returned: returned(attribute),
  uniqueness: attribute.uniqueness,
  ...(attribute.type === 'reference' ? { referenceTypes: ['external'] } : {}),
  ...(attribute.sub.size === 0 ? {} : { subAttributes: [...attribute.sub.values()].map(described) }),
})

const schema = (base: string, id: string, name: string, table: AttributeTable): Json => ({
  schemas: [`${coreUrn}:Schema`],
  id,
  name,
  attributes: [...table.values()].map(described),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

export const resourceTypes = (base: string): readonly Json[] =>
  [userType, groupType].map((each) => resourceType(base, each))

export const schemas = (base: string): readonly Json[] => [
  schema(base, userType.urn, 'User', userType.core),
  ...[...userType.extensions.values()].map((table) => schema(base, enterpriseUrn, 'EnterpriseUser', table)),
  schema(base, groupType.urn, 'Group', groupType.core),
]
