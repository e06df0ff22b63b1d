// https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow ; it does not say whether an address is verified, so all
// count as unverified.
import { providerUser, recordOf } from './provider-user.ts'
import type { Provider } from './provider.ts'

const version = 'v24.0'
const pages = 'https://www.facebook.com'
const graph = 'https://graph.facebook.com'

export const facebook: Provider = {
  baseUrl: pages,
  scopes: ['public_profile', 'email'],
  metadata: ({ baseUrl }) => ({
    issuer: baseUrl ?? pages,
    authorization_endpoint: `${baseUrl ?? pages}/${version}/dialog/oauth`,
    token_endpoint: `${baseUrl ?? graph}/${version}/oauth/access_token`,
  }),
  // https://developers.facebook.com/docs/facebook-login/guides/permissions/request-revoke
  revocation: ({ baseUrl }, accessToken) => ({
    url: `${baseUrl ?? graph}/${version}/me/permissions`,
    headers: { authorization: `Bearer ${accessToken}` },
  }),
  async readUser({ get }, { baseUrl }) {
    const user = recordOf(await get(`${baseUrl ?? graph}/${version}/me?fields=id,name,email`))
    return providerUser({ subject: user['id'], email: user['email'], isEmailVerified: false, name: user['name'] })
  },
}
