// The endpoints of the authorization server, below the issuer.
export const paths = {
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

/** The methods and paths that the engine answers. */
export const enginePaths: readonly (readonly [method: 'GET' | 'POST' | 'OPTIONS', path: string])[] = [
  ['GET', paths.authorization],
  ['GET', `${paths.authorization}/:uid`],
  ['POST', paths.token],
  ['OPTIONS', paths.token],
  ['GET', paths.userinfo],
  ['POST', paths.userinfo],
  ['OPTIONS', paths.userinfo],
  ['POST', paths.revocation],
  ['OPTIONS', paths.revocation],
  ['POST', paths.introspection],
  ['OPTIONS', paths.introspection],
  ['GET', paths.end_session],
  ['POST', `${paths.end_session}/confirm`],
  ['GET', `${paths.end_session}/success`],
  ['POST', paths.device_authorization],
  ['OPTIONS', paths.device_authorization],
  ['POST', paths.pushed_authorization_request],
  ['OPTIONS', paths.pushed_authorization_request],
]
