import type { Static, TProperties } from 'typebox'
import {
  applicationGrantTypes,
  applicationTypes,
  idTokenAlgorithms,
  tokenEndpointAuthMethods,
} from '../application-types.ts'
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

export const applicationOrigins = ['manual', 'document', 'registration'] as const
export const accessTokenFormats = ['jwt', 'opaque'] as const
/** What a machine application names where it calls the management interface itself. */
export const managementResource = 'management'

const scopeName = () => text({ pattern: '^[!#-\\[\\]-~]{1,128}$', maxLength: 128 })

/** The permissions that a machine application has at one resource. */
export const MachineScopes = object({
  resourceId: text({ minLength: 1, maxLength: 64, description: `The id of a resource, or ${managementResource}` }),
  scopes: array(scopeName(), { minItems: 1, maxItems: 100 }),
})

/** A client secret of an application, without the secret itself. */
export const ApplicationSecret = object({
  id: text(),
  last4: text({ description: 'The last four characters of the secret, to distinguish secrets' }),
  expiresAt: nullableTimestamp({ description: 'When a replaced secret stops working' }),
  createdAt: timestamp(),
})
export type ApplicationSecret = Static<typeof ApplicationSecret>

const applicationProperties = {
  id: text(),
  tenantId: text(),
  clientId: text({ description: 'The identifier that the application sends as client_id' }),
  origin: oneOf(applicationOrigins, {
    description:
      'How the application was registered: through this interface, by its own metadata document, or by dynamic registration',
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
  requireSecondFactor: boolean(),
  machineScopes: array(MachineScopes),
  exchangeFrom: array(text()),
  exchangeTo: array(text()),
  logoId: nullableText(),
  logoUri: nullableText(),
  initiateLoginUri: nullableText(),
  homeUri: nullableText(),
  termsUri: nullableText(),
  policyUri: nullableText(),
  secrets: array(ApplicationSecret),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An application whose users sign in through the tenant, or a machine that calls resources. */
export const Application = object(applicationProperties)
export type Application = Static<typeof Application>

const clientSecret = nullableText({
  description: 'Shown only here; null for an application without a secret',
})
/** A new application with its client secret, which is shown only here. */
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
      'The URLs to which the browser can return, compared as a whole. They must be https URLs. Native applications can also use the URL of an app, such as com.example.app:/callback, or http on the loopback address with any port. In a development tenant all applications can use http on localhost',
    ),
  ),
  postLogoutRedirectUris: optional(
    uris('redirect-uri', 'The URLs to which the browser can return after sign-out. The rules of redirectUris apply'),
  ),
  backchannelLogoutUri: optional(
    nullableText({
      format: 'web-uri',
      description:
        'The URL of a web application to which a logout token is sent (OpenID Connect Back-Channel Logout 1.0) when a session ends with which the application has signed in its user',
    }),
  ),
  corsOrigins: optional(
    uris(
      'web-uri',
      'The origins of pages that can call the token endpoint from a browser, such as https://app.example',
    ),
  ),
  grantTypes: optional(
    array(oneOf(applicationGrantTypes), {
      minItems: 1,
      maxItems: applicationGrantTypes.length,
      description:
        'The default depends on the type: authorization_code and refresh_token for web, spa and native, client_credentials for machine, the device code and refresh_token for device',
    }),
  ),
  tokenEndpointAuthMethod: optional(
    oneOf(tokenEndpointAuthMethods, {
      description:
        'Must be none for spa and native, which cannot keep a secret. Default for web and machine: client_secret_basic',
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
  jwksUri: optional(nullableText({ format: 'web-uri', description: 'The URL of these keys, instead of jwks' })),
  idTokenSigningAlg: optional(
    oneOf(idTokenAlgorithms, {
      description:
        'The algorithm with which its ID tokens and logout tokens are signed. Default: ES256. RS256 is for applications that support no other. Access tokens are always signed with ES256',
    }),
  ),
  accessTokenFormat: optional(
    oneOf(accessTokenFormats, { description: 'Default: jwt. A resource can decide otherwise for its own tokens' }),
  ),
  accessTokenTtl: ttl(60, 86_400, "60 to 86400; null: the tenant's default"),
  refreshTokenTtl: ttl(300, 31_536_000, "300 to 31536000; null: the tenant's default"),
  refreshTokenRotation: optional(
    boolean({
      description: 'Whether each use of a refresh token returns a new one. On by default; always on for public clients',
    }),
  ),
  requirePkce: optional(
    boolean({
      description:
        'Whether authorization requests must use PKCE. On by default; always on for applications without a secret',
    }),
  ),
  requireConsent: optional(
    boolean({
      description:
        "Whether users are asked for consent. On by default. Turn it off only for the tenant's own applications",
    }),
  ),
  requirePar: optional(
    boolean({ description: 'Whether authorization requests must be pushed (RFC 9126). Off by default' }),
  ),
  requireDpop: optional(
    boolean({ description: 'Whether tokens must be bound to a key (DPoP, RFC 9449). Off by default' }),
  ),
  requireSecondFactor: optional(
    boolean({
      description:
        'Whether users sign in to the application only with a second factor; those who have none set one up. Off by default',
    }),
  ),
  machineScopes: optional(
    array(MachineScopes, {
      maxItems: 50,
      description:
        'The scopes that an application with client_credentials can get for itself, by resource. To set scopes of the management interface, the caller must have them',
    }),
  ),
  exchangeFrom: optional(
    array(text({ minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      description:
        'The ids of the resources whose access tokens an application with token exchange can exchange: those that it serves, or acts for. None by default',
    }),
  ),
  exchangeTo: optional(
    array(text({ minLength: 1, maxLength: 64 }), {
      maxItems: 50,
      description: 'The ids of the resources for which it can get tokens in exchange. None by default',
    }),
  ),
  logoId: optional(nullableId({ description: 'A public file of the tenant' })),
  initiateLoginUri: optional(
    nullableText({
      format: 'web-uri',
      description:
        'Where the application begins a sign-in (initiate_login_uri of OpenID Connect), to which users come back whose request has expired; with `iss`. https; in tenants for development also http on localhost',
    }),
  ),
  homeUri: optional(
    nullableText({ format: 'web-uri', description: 'The first page of the application, where users go otherwise' }),
  ),
  termsUri: optional(nullableText({ format: 'web-uri' })),
  policyUri: optional(nullableText({ format: 'web-uri' })),
} satisfies TProperties

/** What an application is registered with. */
export const CreateApplication = object({
  tenantId: id(),
  name: nameOfApplication(),
  type: oneOf(applicationTypes, { description: 'Never changes' }),
  ...settings,
})
export type CreateApplication = Static<typeof CreateApplication>

/** The properties of an application to change. */
export const UpdateApplication = object({ name: optional(nameOfApplication()), ...settings })
export type UpdateApplication = Static<typeof UpdateApplication>

const resourceScope = object({ name: text(), description: nullableText() })

/** An API that accepts access tokens of the tenant. */
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
          nullableText({
            maxLength: 256,
            format: 'plain-line',
            description: 'The text that users read when they are asked for consent',
          }),
        ),
      }),
      { maxItems: 100, description: 'Each name at most once' },
    ),
  ),
  accessTokenFormat: optional(
    nullableOneOf(accessTokenFormats, { description: 'null: the setting of the application' }),
  ),
  accessTokenTtl: ttl(60, 86_400, '60 to 86400; null: the setting of the application'),
}

/** What a resource is added with. */
export const CreateResource = object({
  tenantId: id(),
  indicator: text({
    format: 'resource-indicator',
    description: 'The value that applications send as `resource`, and the `aud` of their tokens. It cannot be changed',
  }),
  name: nameOfApplication(),
  ...resourceSettings,
})
export type CreateResource = Static<typeof CreateResource>

/** The properties of a resource to change. */
export const UpdateResource = object({ name: optional(nameOfApplication()), ...resourceSettings })
export type UpdateResource = Static<typeof UpdateResource>

/** What a user has allowed an application. */
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

/** How the tenant acts as an OpenID Provider. */
export const OAuthSettings = object({
  issuer: text({ description: 'The issuer of all new tokens' }),
  issuerDomain: nullableText(),
  previousIssuerUntil: nullableTimestamp({ description: 'Until when the previous issuer is also served' }),
  metadataDocumentsEnabled: boolean(),
  registrationEnabled: boolean(),
  registrationTokenExpiresAt: nullableTimestamp(),
  accessTokenTtl: integer(),
  refreshTokenTtl: integer(),
  idTokenTtl: integer(),
})
export type OAuthSettings = Static<typeof OAuthSettings>

/** The settings of the OpenID Provider to change. */
export const UpdateOAuthSettings = object({
  issuerDomain: optional(
    nullableText({
      format: 'host-name',
      description:
        "A verified domain of the tenant whose origin becomes the issuer. null: the deployment's URL with the path /t/{tenantId}",
    }),
  ),
  issuerGraceSeconds: optional(
    integer({
      minimum: 0,
      maximum: 2_592_000,
      description: 'How long the previous issuer is also served when the issuer changes, in seconds. Default: 604800',
    }),
  ),
  metadataDocumentsEnabled: optional(
    boolean({
      description:
        'Whether clients that are not registered can identify themselves by the URL of a metadata document. Off by default',
    }),
  ),
  registrationEnabled: optional(
    boolean({
      description: 'Whether clients can register themselves (RFC 7591) with an initial access token. Off by default',
    }),
  ),
  accessTokenTtl: ttl(60, 86_400, '60 to 86400; null: 900'),
  refreshTokenTtl: ttl(300, 31_536_000, '300 to 31536000; null: 2592000'),
  idTokenTtl: ttl(60, 86_400, '60 to 86400; null: 900'),
})
export type UpdateOAuthSettings = Static<typeof UpdateOAuthSettings>

/** A token with which applications register themselves. It is shown only here. */
export const RegistrationToken = object({
  token: text({ description: 'Shown only here. The previous token no longer works' }),
  expiresAt: timestamp(),
})
