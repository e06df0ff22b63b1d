// The endpoints of the authorization server, below the issuer.
import { oauthPaths as paths } from '@bailiwick/contract'

export { oauthPaths as paths } from '@bailiwick/contract'

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
