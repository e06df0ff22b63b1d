// https://developers.google.com/identity/openid-connect/openid-connect
import { userOfOpenId } from './provider-user.ts'
import type { Provider } from './provider.ts'

export const google: Provider = {
  baseUrl: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  // https://developers.google.com/identity/protocols/oauth2/web-server#offline ; without a new consent there is no refresh token.
  accessParameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
  readUser: userOfOpenId,
}
