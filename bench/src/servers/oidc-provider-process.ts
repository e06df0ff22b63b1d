// The other authorization server: oidc-provider by itself, with one issuer and its store in memory, as its documentation sets it up.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import Provider from 'oidc-provider'
import { answerQuestions } from './child-process.ts'

export interface KnownMachine {
  readonly clientId: string
  readonly clientSecret: string
  /** Tokens for the one are JWTs, and for the other opaque. */
  readonly jwtResource: string
  readonly opaqueResource: string
  readonly scope: string
}

answerQuestions(async ({ clientId, clientSecret, jwtResource, scope }: KnownMachine) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider('http://127.0.0.1', {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'one' }] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
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
  })
  const answer = provider.callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
})
