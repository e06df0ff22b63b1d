import type { Static, TProperties } from 'typebox'
import {
  anyJson,
  array,
  boolean,
  id,
  integer,
  nullable,
  nullableId,
  nullableInteger,
  nullableOneOf,
  nullableText,
  nullableTimestamp,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from '../schema.ts'
import {
  applicationGrantTypes,
  applicationTypes,
  idTokenAlgorithms,
  tokenEndpointAuthMethods,
} from '../application-types.ts'

export const applicationOrigins = ['manual', 'document', 'registration'] as const
export const accessTokenFormats = ['jwt', 'opaque'] as const
/** What a machine application names where it calls the management interface itself. */
export const managementResource = 'management'

const scopeName = () => text({ pattern: '^[!#-\\[\\]-~]{1,128}$', maxLength: 128 })

export const MachineScopes = object({
  resourceId: text({ minLength: 1, maxLength: 64, description: `The id of a resource, or ${managementResource}` }),
  scopes: array(scopeName(), { minItems: 1, maxItems: 100 }),
})

export const ApplicationSecret = object({
  id: text(),
  last4: text({ description: "The secret's last four characters, to tell secrets apart" }),
  expiresAt: nullableTimestamp({ description: 'When one that was replaced stops working' }),
  createdAt: timestamp(),
})
export type ApplicationSecret = Static<typeof ApplicationSecret>

const applicationProperties = {
  id: text(),
  tenantId: text(),
  clientId: text({ description: 'What the application sends as client_id' }),
  origin: oneOf(applicationOrigins, {
    description: 'How it came here: by this interface, by its own document, or by registering',
  }),
  name: text(),
  type: oneOf(applicationTypes),
  redirectUris: array(text()),
  postLogoutRedirectUris: array(text()),
  backchannelLogoutUri: nullableText(),
  corsOrigins: array(text()),
  grantTypes: array(text()),
  tokenEndpointAuthMethod: oneOf(tokenEndpointAuthMethods),
  jwks: nullable(object({ keys: array(anyJson()) })),
  jwksUri: nullableText(),
  idTokenSigningAlg: oneOf(idTokenAlgorithms),
  accessTokenFormat: oneOf(accessTokenFormats),
  accessTokenTtl: nullableInteger({ description: "In seconds; null: the tenant's default" }),
  refreshTokenTtl: nullableInteger({ description: "In seconds; null: the tenant's default" }),
  refreshTokenRotation: boolean(),
  requirePkce: boolean(),
  requireConsent: boolean(),
  requirePar: boolean(),
  requireDpop: boolean(),
  machineScopes: array(MachineScopes),
  exchangeFrom: array(text()),
  exchangeTo: array(text()),
  logoId: nullableText(),
  logoUri: nullableText(),
  termsUri: nullableText(),
  policyUri: nullableText(),
  secrets: array(ApplicationSecret),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

export const Application = object(applicationProperties)
export type Application = Static<typeof Application>

const clientSecret = nullableText({
  description: 'Shown here alone; null for an application without a secret',
})
export const ApplicationWithSecret = object({ ...applicationProperties, clientSecret })
export type ApplicationWithSecret = Static<typeof ApplicationWithSecret>

const uris = (format: string, description: string) =>
  array(text({ format, maxLength: 2048 }), { maxItems: 50, description })
const ttl = (minimum: number, maximum: number, description: string) =>
  optional(nullableInteger({ minimum, maximum, description: `In seconds. ${description}` }))
export const nameOfApplication = () => text({ minLength: 1, maxLength: 128, format: 'plain-line', pattern: '\\S' })

const settings = {
  redirectUris: optional(
    uris(
      'redirect-uri',
      'Where the browser may come back to, compared as a whole. https; for native applications also an address of an app such as com.example.app:/callback, or http on this device, where the port is free; http on localhost for all in tenants for development',
    ),
  ),
  postLogoutRedirectUris: optional(uris('redirect-uri', 'Where the browser may go after signing out; the same rules')),
  backchannelLogoutUri: optional(
    nullableText({
      format: 'web-uri',
      description:
        'The address of a web application that is sent a logout token (OpenID Connect Back-Channel Logout 1.0) whenever a session ends by which it has signed its user in',
    }),
  ),
  corsOrigins: optional(
    uris('web-uri', 'Origins of pages that may call the token endpoint from a browser, such as https://app.example'),
  ),
  grantTypes: optional(
    array(oneOf(applicationGrantTypes), {
      minItems: 1,
      maxItems: applicationGrantTypes.length,
      description:
        'By its type unless set: with a browser authorization_code and refresh_token; for a machine client_credentials; for a device the device code and refresh_token',
    }),
  ),
  tokenEndpointAuthMethod: optional(
    oneOf(tokenEndpointAuthMethods, {
      description:
        'none for spa and native, which can keep no secret; client_secret_basic for web and machine unless set',
    }),
  ),
  jwks: optional(
    nullable(
      object(
        { keys: array(anyJson({ 'x-bytes-max': 4096 }), { minItems: 1, maxItems: 10 }) },
        { description: 'The public keys of a client with private_key_jwt' },
      ),
    ),
  ),
  jwksUri: optional(nullableText({ format: 'web-uri', description: 'Where those keys are, instead of jwks' })),
  idTokenSigningAlg: optional(
    oneOf(idTokenAlgorithms, {
      description:
        'The algorithm by which its ID tokens and logout tokens are signed: ES256 unless set; RS256 for applications that know no other. Access tokens are always signed with ES256',
    }),
  ),
  accessTokenFormat: optional(
    oneOf(accessTokenFormats, { description: 'jwt unless set. A resource can decide otherwise for its own' }),
  ),
  accessTokenTtl: ttl(60, 86_400, "60 to 86400; null: the tenant's default"),
  refreshTokenTtl: ttl(300, 31_536_000, "300 to 31536000; null: the tenant's default"),
  refreshTokenRotation: optional(
    boolean({
      description: 'Whether each use of a refresh token gives a new one; on unless set, always for public clients',
    }),
  ),
  requirePkce: optional(boolean({ description: 'On unless set, and always for clients without a secret' })),
  requireConsent: optional(
    boolean({
      description:
        "Whether users are asked before they are signed in; on unless set. Off is for the tenant's own applications",
    }),
  ),
  requirePar: optional(boolean({ description: 'Whether requests have to be pushed (RFC 9126); off unless set' })),
  requireDpop: optional(boolean({ description: 'Whether tokens are bound to a key (RFC 9449); off unless set' })),
  machineScopes: optional(
    array(MachineScopes, {
      maxItems: 50,
      description:
        'What an application with client_credentials may do for itself, at which resource. Who sets scopes of the management interface has to hold them',
    }),
  ),
  exchangeFrom: optional(
    array(text({ minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      description:
        'The ids of the resources whose access tokens an application with token exchange may exchange: those that it serves, or acts for. None unless set',
    }),
  ),
  exchangeTo: optional(
    array(text({ minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      description: 'The ids of the resources that it may get tokens for in exchange. None unless set',
    }),
  ),
  logoId: optional(nullableId({ description: 'A public file of the tenant' })),
  termsUri: optional(nullableText({ format: 'web-uri' })),
  policyUri: optional(nullableText({ format: 'web-uri' })),
} satisfies TProperties

export const CreateApplication = object({
  tenantId: id(),
  name: nameOfApplication(),
  type: oneOf(applicationTypes, { description: 'Never changes' }),
  ...settings,
})
export type CreateApplication = Static<typeof CreateApplication>

export const UpdateApplication = object({ name: optional(nameOfApplication()), ...settings })
export type UpdateApplication = Static<typeof UpdateApplication>

const resourceScope = object({ name: text(), description: nullableText() })

export const Resource = object({
  id: text(),
  tenantId: text(),
  indicator: text(),
  name: text(),
  scopes: array(resourceScope),
  accessTokenFormat: nullableOneOf(accessTokenFormats),
  accessTokenTtl: nullableInteger({ description: 'In seconds' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Resource = Static<typeof Resource>

const resourceSettings = {
  scopes: optional(
    array(
      object({
        name: scopeName(),
        description: optional(
          nullableText({ maxLength: 256, format: 'plain-line', description: 'What users read when they are asked' }),
        ),
      }),
      { maxItems: 100, description: 'None twice' },
    ),
  ),
  accessTokenFormat: optional(nullableOneOf(accessTokenFormats, { description: 'null: what the application says' })),
  accessTokenTtl: ttl(60, 86_400, '60 to 86400; null: what the application says'),
}

export const CreateResource = object({
  tenantId: id(),
  indicator: text({
    format: 'resource-indicator',
    description: 'What applications send as `resource`, and the `aud` of their tokens; it never changes',
  }),
  name: nameOfApplication(),
  ...resourceSettings,
})
export type CreateResource = Static<typeof CreateResource>

export const UpdateResource = object({ name: optional(nameOfApplication()), ...resourceSettings })
export type UpdateResource = Static<typeof UpdateResource>

export const Grant = object({
  id: text(),
  tenantId: text(),
  userId: text(),
  applicationId: text(),
  organizationId: nullableText(),
  scopes: array(text()),
  resources: array(object({ indicator: text(), scopes: array(text()) })),
  lastUsedAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Grant = Static<typeof Grant>

export const OAuthSettings = object({
  issuer: text({ description: 'Of all that is issued anew' }),
  issuerDomain: nullableText(),
  previousIssuerUntil: nullableTimestamp({ description: 'How long the issuer before it is served as well' }),
  metadataDocumentsEnabled: boolean(),
  registrationEnabled: boolean(),
  registrationTokenExpiresAt: nullableTimestamp(),
  accessTokenTtl: integer(),
  refreshTokenTtl: integer(),
  idTokenTtl: integer(),
})
export type OAuthSettings = Static<typeof OAuthSettings>

export const UpdateOAuthSettings = object({
  issuerDomain: optional(
    nullableText({
      format: 'host-name',
      description:
        "A verified domain of the tenant's whose origin becomes the issuer. null: the deployment's address below /t/{tenantId}",
    }),
  ),
  issuerGraceSeconds: optional(
    integer({
      minimum: 0,
      maximum: 2_592_000,
      description: 'How long the issuer before is served as well, when it changes; 604800 unless set',
    }),
  ),
  metadataDocumentsEnabled: optional(
    boolean({
      description: 'Whether clients that nobody has registered may describe themselves by a document; off unless set',
    }),
  ),
  registrationEnabled: optional(
    boolean({
      description: 'Whether clients may register themselves (RFC 7591) with an initial access token; off unless set',
    }),
  ),
  accessTokenTtl: ttl(60, 86_400, '60 to 86400; null: 900'),
  refreshTokenTtl: ttl(300, 31_536_000, '300 to 31536000; null: 2592000'),
  idTokenTtl: ttl(60, 86_400, '60 to 86400; null: 900'),
})
export type UpdateOAuthSettings = Static<typeof UpdateOAuthSettings>

export const RegistrationToken = object({
  token: text({ description: 'Shown here alone; the one before it no longer works' }),
  expiresAt: timestamp(),
})
