// https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps ; it does not support OpenID Connect, so the user and
// the verified addresses are read from its API.
import { providerUser, recordOf } from './provider-user.ts'
import type { Provider } from './provider.ts'

const home = 'https://github.com'

const apiAddress = (baseUrl: string | undefined) =>
  baseUrl === undefined ? 'https://api.github.com' : `${baseUrl}/api/v3`

/** Returns the primary address, preferably a verified one. */
function addressOf(list: unknown) {
  const addresses = Array.isArray(list) ? list.map(recordOf) : []
  const primary = addresses.filter((address) => address['primary'] === true)
  return primary.find((address) => address['verified'] === true) ?? primary[0] ?? {}
}

export const github: Provider = {
  baseUrl: home,
  scopes: ['read:user', 'user:email'],
  metadata: ({ baseUrl = home }) => ({
    issuer: `${baseUrl}/login/oauth`,
    authorization_endpoint: `${baseUrl}/login/oauth/authorize`,
    token_endpoint: `${baseUrl}/login/oauth/access_token`,
  }),
  // https://docs.github.com/rest/apps/oauth-applications#delete-an-app-token
  revocation: ({ baseUrl, clientId, clientSecret }, accessToken) => ({
    url: `${apiAddress(baseUrl)}/applications/${encodeURIComponent(clientId)}/token`,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ access_token: accessToken }),
  }),
  async readUser({ get }, { baseUrl }) {
    const api = apiAddress(baseUrl)
    const user = recordOf(await get(`${api}/user`))
    const address = addressOf(await get(`${api}/user/emails`))
    return providerUser({
      subject: user['id'],
      email: address['email'],
      isEmailVerified: address['verified'] === true,
      name: user['name'] ?? user['login'],
    })
  },
}
