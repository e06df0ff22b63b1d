// https://docs.gitlab.com/integration/openid_connect_provider/ ; a self-hosted GitLab is named by `config.baseUrl`.
import { userOfOpenId } from './provider-user.ts'
import type { Provider } from './provider.ts'

export const gitlab: Provider = {
  baseUrl: 'https://gitlab.com',
  scopes: ['openid', 'email', 'profile'],
  readUser: userOfOpenId,
}
