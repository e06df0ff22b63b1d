// The types of applications, and what each may be.

export const applicationTypes = ['web', 'spa', 'native', 'machine', 'device'] as const
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** Exchanges the API key of a user or organization for a short JWT. */
export const apiKeyGrant = 'urn:bailiwick:api-key'
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
/** Redeems identity assertions (ID-JAG) that the identity provider of an organization has signed for an agent of a member. */
export const idJagGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const applicationGrantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceCodeGrant,
  tokenExchangeGrant,
  apiKeyGrant,
  idJagGrant,
] as const
export const tokenEndpointAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const
/** The algorithms by which ID tokens and logout tokens can be signed; the first one is the default. */
export const idTokenAlgorithms = ['ES256', 'RS256'] as const
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number]
export type ApplicationType = (typeof applicationTypes)[number]
export type ApplicationGrantType = (typeof applicationGrantTypes)[number]
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number]

interface TypeRules {
  readonly grants: readonly ApplicationGrantType[]
  /** Those of an application that names none. */
  readonly grantDefaults: readonly ApplicationGrantType[]
  /** The first one is the default. */
  readonly methods: readonly [TokenEndpointAuthMethod, ...TokenEndpointAuthMethod[]]
}

const withSecret = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const

export const applicationTypeRules: Readonly<Record<ApplicationType, TypeRules>> = {
  web: {
    grants: ['authorization_code', 'refresh_token', 'client_credentials', tokenExchangeGrant, apiKeyGrant, idJagGrant],
    grantDefaults: ['authorization_code', 'refresh_token'],
    methods: withSecret,
  },
  spa: {
    grants: ['authorization_code', 'refresh_token'],
    grantDefaults: ['authorization_code', 'refresh_token'],
    methods: ['none'],
  },
  native: {
    grants: ['authorization_code', 'refresh_token', deviceCodeGrant],
    grantDefaults: ['authorization_code', 'refresh_token'],
    methods: ['none'],
  },
  machine: {
    grants: ['client_credentials', tokenExchangeGrant, apiKeyGrant, idJagGrant],
    grantDefaults: ['client_credentials'],
    methods: withSecret,
  },
  device: {
    grants: [deviceCodeGrant, 'refresh_token'],
    grantDefaults: [deviceCodeGrant, 'refresh_token'],
    methods: ['none', ...withSecret],
  },
}

/** The endpoints of a tenant's authorization server, below its issuer. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  end_session: '/oauth/logout',
  device_authorization: '/oauth/device',
  code_verification: '/oauth/device/verify',
  pushed_authorization_request: '/oauth/par',
  jwks: '/oauth/jwks',
  registration: '/oauth/register',
} as const
/** Where the metadata of the authorization server is, below its issuer. */
export const discoveryPath = '/.well-known/openid-configuration'
