// A provider for tests, to which users of a tenant are sent.
import type { Server } from 'node:http'
import Provider from 'oidc-provider'

/** An OpenID Provider at which everybody signs in as Grace. */
export function startProvider(server: Server, issuer: string, redirectUri: string) {
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'bailiwick', client_secret: 'kept by the provider too', redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: 'bailiwick',
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { Grant: 60, Session: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: 'grace' } })
  })
}
