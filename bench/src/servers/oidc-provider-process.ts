// The other authorization server: oidc-provider by itself, with one issuer, as its documentation sets it up: its store is in memory or, if a
// database is named, in PostgreSQL.
import { generateKeyPairSync } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type AdapterFactory, type ClientMetadata } from 'oidc-provider'
import { answerQuestions } from './child-process.ts'
import { openPostgresqlStore } from './oidc-provider-store.ts'

export interface KnownClient {
  readonly clientId: string
  readonly clientSecret: string
  /** Where users are sent back; undefined for a machine. */
  readonly redirectUri?: string
  /** Access tokens for this resource are JWTs; all others are opaque. */
  readonly jwtResource: string
  readonly scope: string
  /** The address of a database; without it the store is in memory. */
  readonly databaseUrl?: string
  /** Whether a client that users are sent back to may have tokens of its own, too. */
  readonly isMachineToo?: boolean
}

const user = 'somebody'
const interactions = '/interaction/'

function describeClient({ clientId, clientSecret, redirectUri, isMachineToo }: KnownClient): ClientMetadata {
  const common = { client_id: clientId, client_secret: clientSecret, id_token_signed_response_alg: 'ES256' as const }
  return redirectUri === undefined
    ? { ...common, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }
    : {
        ...common,
        grant_types: ['authorization_code', 'refresh_token', ...(isMachineToo === true ? ['client_credentials'] : [])],
        redirect_uris: [redirectUri],
        response_types: ['code'],
      }
}

function newProvider(known: KnownClient, adapter: AdapterFactory | undefined): Provider {
  const { jwtResource, scope } = known
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Provider('http://127.0.0.1', {
    ...(adapter === undefined ? {} : { adapter }),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'one' }] },
    clients: [describeClient(known)],
    cookies: { keys: ['only for this benchmark'] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, indicator) => ({
          scope,
          accessTokenTTL: 3600,
          accessTokenFormat: indicator === jwtResource ? 'jwt' : 'opaque',
          ...(indicator === jwtResource ? { jwt: { sign: { alg: 'ES256' as const } } } : {}),
        }),
      },
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    interactions: { url: (_context, { uid }) => `${interactions}${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    // Each authorization has a grant of its own, because the store goes through all tokens of a grant whenever it adds one. A session
    // knows only its latest grant, so tokens cannot be bound to it.
    expiresWithSession: () => false,
    async loadExistingGrant({ oidc: { provider, client, account } }) {
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: account?.accountId ?? '' })
      grant.addOIDCScope('openid')
      grant.addResourceScope(jwtResource, scope)
      await grant.save()
      return grant
    },
  })
}

answerQuestions(async (known: KnownClient) => {
  const { databaseUrl } = known
  const provider = newProvider(known, databaseUrl === undefined ? undefined : await openPostgresqlStore(databaseUrl))
  const answer = provider.callback()
  const signIn = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(request, response, { login: { accountId: user } })
  const server = createServer((request, response) => {
    void (request.url?.startsWith(interactions) === true ? signIn : answer)(request, response)
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
})
