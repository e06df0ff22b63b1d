// https://docs.gitlab.com/integration/openid_connect_provider/ ; also one that a tenant runs itself, at `config.baseUrl`.
import type { Provider } from '../provider.ts'
import { userOfOpenId } from '../provider-user.ts'

export const gitlab: Provider = {
  key: 'gitlab',
  baseUrl: 'https://gitlab.com',
  scopes: ['openid', 'email', 'profile'],
  readUser: userOfOpenId,
}
