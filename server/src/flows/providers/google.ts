// https://developers.google.com/identity/openid-connect/openid-connect
import { userOfOpenId } from './provider-user.ts'
import type { Provider } from './provider.ts'

export const google: Provider = {
  baseUrl: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  readUser: userOfOpenId,
}
