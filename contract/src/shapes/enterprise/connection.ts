// The connection of an organization to its own identity provider.
import type { Static } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  integer,
  nullable,
  nullableOneOf,
  nullableText,
  object,
  oneOf,
  optional,
  plainId,
  text,
  timestamp,
} from '../../schema.ts'
import { SamlConnection, SamlConnectionInput } from './saml-connection.ts'

export const connectionTypes = ['oidc', 'saml'] as const
export const connectionStates = ['draft', 'tested', 'live', 'off'] as const
export const jitModes = ['off', 'member'] as const
export const idJagModes = ['off', 'on'] as const
export const secondFactorRules = ['skip', 'ask'] as const

export type ConnectionType = (typeof connectionTypes)[number]
export type ConnectionState = (typeof connectionStates)[number]

const claimName = (description: string) => text({ minLength: 1, maxLength: 256, format: 'plain-line', description })

/** A rule by which members get a role. The first rule that matches decides. */
export const RoleRule = object({
  claim: nullableText({
    minLength: 1,
    maxLength: 256,
    format: 'plain-line',
    description: 'The claim or attribute that is compared, such as groups. null: the rule matches everybody',
  }),
  value: nullableText({
    minLength: 1,
    maxLength: 1024,
    format: 'text',
    description: 'The value that the claim must have, or one of its values must be. null: any value',
  }),
  roleId: plainId({ description: 'The role in the organization' }),
})
export type RoleRule = Static<typeof RoleRule>

/** The attributes of a directory's users (RFC 7643 sections 4.1 and 4.3) that can become values here. */
export const scimSources = [
  'department',
  'division',
  'organization',
  'costCenter',
  'employeeNumber',
  'manager',
  'title',
] as const

/** What the provider or the directory says of users, and the attribute of the tenant that gets it. */
export const AttributeMapping = object({
  attribute: text({
    pattern: '^[a-z][A-Za-z0-9_]{0,39}$',
    maxLength: 40,
    description: 'The key of an attribute of the tenant',
  }),
  claim: optional(
    nullableText({
      minLength: 1,
      maxLength: 256,
      format: 'plain-line',
      description: 'The claim or SAML attribute whose value is written at each sign-in, such as department',
    }),
  ),
  scim: optional(
    nullableOneOf(scimSources, { description: "What the directory's users have, which is written when it changes" }),
  ),
})
export type AttributeMapping = Static<typeof AttributeMapping>

/** The claims from which a user's properties are read. */
export const PersonClaims = object({
  email: claimName('The claim with the e-mail address. Default: email'),
  name: claimName("The claim with the user's name. Default: name"),
  givenName: claimName('The claim with the first name. Default: given_name'),
  familyName: claimName('The claim with the last name. Default: family_name'),
})
export type PersonClaims = Static<typeof PersonClaims>

const { email, name: nameClaim, givenName, familyName } = PersonClaims.properties
const personClaims = optional(
  object(
    {
      email: optional(email),
      name: optional(nameClaim),
      givenName: optional(givenName),
      familyName: optional(familyName),
    },
    { description: "The claims in which the provider sends the user's data. Only `sub` identifies the user." },
  ),
)
const issuer = text({
  format: 'issuer',
  description: 'The issuer, whose metadata are at {issuer}/.well-known/openid-configuration',
})
const clientId = text({ maxLength: 512, format: 'plain-line', description: 'Empty until it is set' })
const scopes = optional(
  array(text({ pattern: '^[!#-\\[\\]-~]{1,256}$' }), {
    maxItems: 20,
    description: 'The scopes to request in addition to openid. Default: email and profile',
  }),
)
const clientSecret = optional(
  nullableText({
    minLength: 1,
    maxLength: 8192,
    description: 'Stored encrypted, and never returned. null: the client is public and uses only PKCE',
  }),
)

/** What is stored of an OpenID Connect connection beside its secret. */
export const OidcSettings = object({
  issuer,
  clientId,
  scopes: array(text({ pattern: '^[!#-\\[\\]-~]{1,256}$' }), { maxItems: 20 }),
  claims: PersonClaims,
})
export type OidcSettings = Static<typeof OidcSettings>

/** The OpenID provider of an organization. */
export const OidcConnection = object({
  ...OidcSettings.properties,
  hasClientSecret: boolean({ description: 'If it is false, the client is public and uses only PKCE' }),
  callbackUri: text({ description: 'The callback URL to register at the provider' }),
})
export type OidcConnection = Static<typeof OidcConnection>

/** What the OpenID provider of an organization is set up with. */
export const CreateOidcConnection = object({
  issuer,
  clientId: optional(
    text({
      maxLength: 512,
      format: 'plain-line',
      description:
        'Can be set later, because the provider asks for callbackUri, which the answer contains. Default: empty',
    }),
  ),
  clientSecret,
  scopes,
  claims: personClaims,
})
export type CreateOidcConnection = Static<typeof CreateOidcConnection>

/** The properties of an organization's OpenID provider to change. */
export const UpdateOidcConnection = object({
  issuer: optional(issuer),
  clientId: optional(clientId),
  clientSecret,
  scopes,
  claims: personClaims,
})
export type UpdateOidcConnection = Static<typeof UpdateOidcConnection>

/** The way in which members of an organization sign in at its own identity provider. */
export const Connection = object({
  id: text(),
  tenantId: text(),
  organizationId: text(),
  type: oneOf(connectionTypes),
  name: text(),
  state: oneOf(connectionStates),
  oidc: nullable(OidcConnection),
  saml: nullable(SamlConnection),
  roleRules: array(RoleRule),
  attributeMappings: array(AttributeMapping),
  jit: oneOf(jitModes),
  required: boolean(),
  fallbackUserIds: array(text()),
  secondFactor: oneOf(secondFactorRules),
  idJag: oneOf(idJagModes),
  idJagScopes: array(text()),
  idJagTtl: integer(),
  revocationUri: text({
    description: 'The Global Token Revocation endpoint to enter at the provider for Universal Logout',
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Connection = Static<typeof Connection>

const name = text({
  minLength: 1,
  maxLength: 64,
  format: 'plain-line',
  pattern: '\\S',
  description: 'The name that users read where they choose between connections',
})

/** What members of the organization decide themselves, if the tenant lets them. */
const ownRules = {
  roleRules: optional(
    array(RoleRule, {
      maxItems: 50,
      description:
        'Which roles members get by what the provider says of them. The first rule that matches decides. A role that no rule names is never given or taken away by the connection.',
    }),
  ),
  attributeMappings: optional(
    array(AttributeMapping, {
      maxItems: 20,
      description:
        "Which attributes of the tenant get what the provider or the directory says. Only those of users whom the connection or its directory has made. A value that breaks its attribute's type is left out.",
    }),
  ),
  jit: optional(
    oneOf(jitModes, {
      description:
        'member: whoever signs in becomes a member of the organization, and a user if there is none. off: only members can sign in. Default: member',
    }),
  ),
  required: optional(
    boolean({
      description:
        'Whether users with an address of the domains of the organization can sign in only with its connections, except those in `fallbackUserIds`. Default: false',
    }),
  ),
  fallbackUserIds: optional(
    array(plainId(), {
      maxItems: 10,
      description: 'Members who can sign in otherwise even if the connection is required, should the provider fail',
    }),
  ),
}

const rules = {
  ...ownRules,
  secondFactor: optional(
    oneOf(secondFactorRules, {
      description:
        'ask: the second factor that the tenant requires is asked here too. skip: the organization leaves it to its provider. Default: ask',
    }),
  ),
}

const agentRules = {
  idJag: optional(
    oneOf(idJagModes, {
      description:
        'on: applications with the jwt-bearer grant can redeem identity assertions (ID-JAG) of an OpenID provider for access tokens of its users. Default: off',
    }),
  ),
  idJagScopes: optional(
    array(text({ pattern: '^[!#-\\[\\]-~]{1,256}$' }), {
      maxItems: 200,
      description: 'The scopes that agents can get. Empty, the default: all that the assertion and the resource allow',
    }),
  ),
  idJagTtl: optional(
    integer({
      minimum: 60,
      maximum: 86_400,
      description: 'For how many seconds such an access token is valid at most. Default: 900',
    }),
  ),
}

/** What a connection of an organization is set up with. */
export const CreateConnection = object({
  organizationId: plainId(),
  type: oneOf(connectionTypes),
  name,
  oidc: optional(CreateOidcConnection),
  saml: optional(SamlConnectionInput),
  ...rules,
  ...agentRules,
})
export type CreateConnection = Static<typeof CreateConnection>

const state = optional(
  oneOf(['live', 'off'] as const, {
    description: 'live: users can sign in; possible once a test has succeeded. off: nobody can.',
  }),
)

/** The properties of a connection to change. */
export const UpdateConnection = object({
  name: optional(name),
  state,
  oidc: optional(UpdateOidcConnection),
  saml: optional(SamlConnectionInput),
  ...rules,
  ...agentRules,
})
export type UpdateConnection = Static<typeof UpdateConnection>

/** The properties of a new connection that a member of the organization creates. The tenant decides about second factors and agents. */
export const CreateOrganizationConnection = object({
  type: oneOf(connectionTypes),
  name,
  oidc: optional(CreateOidcConnection),
  saml: optional(SamlConnectionInput),
  ...ownRules,
})
export type CreateOrganizationConnection = Static<typeof CreateOrganizationConnection>

/** The properties of a connection that a member of the organization changes. */
export const UpdateOrganizationConnection = object({
  name: optional(name),
  state,
  oidc: optional(UpdateOidcConnection),
  saml: optional(SamlConnectionInput),
  ...ownRules,
})
export type UpdateOrganizationConnection = Static<typeof UpdateOrganizationConnection>

/** A connection with which a user signs in. */
export const UserConnection = object({
  connectionId: text(),
  organizationId: text(),
  type: oneOf(connectionTypes),
  name: text(),
  subject: text({ description: 'The identifier of the user at the provider' }),
  createdAt: timestamp(),
  lastUsedAt: timestamp(),
})
export type UserConnection = Static<typeof UserConnection>

/** A sign-in of a user with a connection. */
export const UserConnectionSignIn = object({
  connectionId: text(),
  organizationId: text(),
  sessionId: nullableText({ description: 'The session that it has opened' }),
  claims: anyJson({
    description: 'The claims of the provider that are kept, because the tenant names them as sources',
  }),
  createdAt: timestamp(),
})
export type UserConnectionSignIn = Static<typeof UserConnectionSignIn>
