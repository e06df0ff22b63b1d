// https://developers.google.com/identity/openid-connect/openid-connect
import type { Provider } from './provider.ts'
import { userOfOpenId } from './provider-user.ts'

export const google: Provider = {
  baseUrl: 'https://accounts.google.com',
  scopes: ['openid', 'email', 'profile'],
  readUser: userOfOpenId,
}
