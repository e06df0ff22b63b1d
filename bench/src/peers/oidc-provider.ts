// oidc-provider by itself, with one issuer and its models in PostgreSQL. It knows no passwords and no lists of users.
import { createStore } from '../data/store.ts'
import { jwtResource, makeCodes, redirectUri, scope } from '../load/codes.ts'
import { signInAtOidcProvider } from '../measures/code-to-tokens.ts'
import { inTurns, oidcProviderProcess, opaqueResource, tokenRequest } from '../measures/machine-tokens.ts'
import { Worker } from '../servers/child-process.ts'
import type { KnownClient } from '../servers/oidc-provider-process.ts'
import { type Peer, each } from './peer.ts'
import type { PeerPlace } from './place.ts'

export async function startOidcProviderPeer(place: PeerPlace, postgresUrl: string): Promise<Peer> {
  const { databaseUrl } = await createStore(place.directory, 'oidc_provider', postgresUrl)
  if (databaseUrl === undefined) throw new Error('the store is not in PostgreSQL')
  const client = { clientId: 'app', clientSecret: 's'.repeat(43) }
  const worker = new Worker(oidcProviderProcess, { PATH: process.env['PATH'], NODE_ENV: 'production' })
  const known: KnownClient = { ...client, redirectUri, jwtResource, scope, databaseUrl, isMachineToo: true }
  const port = await worker.ask<number>(known)
  const signed = [await signInAtOidcProvider(port, client)]
  const machine = (resource: string) => each(inTurns([tokenRequest('/token', client, resource)]))
  return {
    title: 'oidc-provider 9.13.3',
    store: 'PostgreSQL',
    pid: worker.child.pid ?? 0,
    port,
    usesPostgres: true,
    journeys: {
      'client credentials, JWT': machine(jwtResource),
      'client credentials, opaque': machine(opaqueResource),
      'code to tokens': (count, open) => makeCodes(open, signed, 'with an opaque access token', count),
    },
    stop: () => worker.stop(),
  }
}
