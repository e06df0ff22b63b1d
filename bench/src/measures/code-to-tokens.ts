// Applications that redeem authorization codes: only the redemption is timed, because a user's way to a code has its own measures.
import { createAsOperator, prepareTenants } from '../data/as-operator.ts'
import type { Dataset } from '../data/dataset.ts'
import { password } from '../data/people.ts'
import {
  type Signed,
  type Tokens,
  authorization,
  jwtResource,
  makeCodes,
  redirectUri,
  scope,
  sendAll,
} from '../load/codes.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { percentile } from '../load/load.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { Visitor, readCookies } from '../load/visitor.ts'
import { type ResultRow, atLeast, ratioRow } from '../results.ts'
import { Worker } from '../servers/child-process.ts'
import type { KnownClient } from '../servers/oidc-provider-process.ts'
import type { World } from '../world.ts'
import { connections, oidcProviderProcess, scopesOffered } from './machine-tokens.ts'

/**
 * So many codes are made before they are redeemed: few enough for the store of oidc-provider alone, which forgets what was written a
 * thousand entries ago.
 */
const codesAtOnce = 160
const email = 'grace@people.example'

/** Makes a tenant with an application that it trusts, and signs a user in there. */
export async function signInAtTenant(dataset: Dataset, port: number): Promise<Signed> {
  const create = <Created>(path: string, body: object) => createAsOperator<Created>(dataset, port, path, body)
  const tenant = { name: 'Sign-ins', environment: 'production' }
  const { id: tenantId, publicKey } = await create<{ id: string; publicKey: string }>('/tenants', tenant)
  await create('/auth/resources', { tenantId, indicator: jwtResource, name: 'Articles', scopes: scopesOffered })
  const client = await create<Signed['client']>('/auth/applications', {
    tenantId,
    name: 'App',
    type: 'web',
    redirectUris: [redirectUri],
    grantTypes: ['authorization_code', 'refresh_token'],
    requireConsent: false,
  })
  const { primaryEmailId: id } = await create<{ primaryEmailId: string }>('/auth/users', { tenantId, email, password })
  await create('/auth/email-addresses/verify', { id })
  const callFrontend = async (path: string, headers: object, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/frontend/api/v0${path}`, {
      method: 'POST',
      headers: { 'x-public-key': publicKey, 'sec-fetch-site': 'same-origin', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${await response.text()}`)
    return response
  }
  const signIn = { identifier: email, strategy: 'email_password', password }
  const signedIn = await callFrontend('/sign-ins', { 'content-type': 'application/json' }, signIn)
  const session = { cookie: readCookies(signedIn).join('; ') }
  const visitor = new Visitor(port)
  const authorizePath = `/t/${tenantId}/oauth/authorize`
  const asked = await visitor.visit(`${authorizePath}?${authorization(client, 'with a JWT for a resource')}`)
  const uid = new URL(asked, 'http://127.0.0.1').searchParams.get('interaction')
  const login = await callFrontend(`/oauth/interactions/${uid}/login`, session)
  const { data } = (await login.json()) as { data: { redirectUri: string } }
  await visitor.visit(data.redirectUri)
  return { authorizePath, tokenPath: `/t/${tenantId}/oauth/token`, client, cookie: visitor.cookie }
}

export async function signInAtOidcProvider(port: number, client: Signed['client']): Promise<Signed> {
  const visitor = new Visitor(port)
  const asked = await visitor.visit(`/auth?${authorization(client, 'with a JWT for a resource')}`)
  await visitor.visit(await visitor.visit(asked))
  return { authorizePath: '/auth', tokenPath: '/token', client, cookie: visitor.cookie }
}

/** Makes codes and redeems them, by turns; the rate is that of the redemptions alone. */
function redeeming(port: number, signed: readonly Signed[], tokens: Tokens): Contestant {
  return {
    async run(seconds) {
      const open = await Promise.all(
        // Each connection has an address of its own, because the service limits the requests of one address.
        Array.from({ length: connections }, (_each, index) => HttpConnection.open(port, `127.0.0.${index + 2}`)),
      )
      const latencies: number[] = []
      let elapsedMs = 0
      try {
        while (elapsedMs < seconds * 1000) {
          const redemptions = await makeCodes(open, signed, tokens, codesAtOnce)
          const startedAt = performance.now()
          await sendAll(open, redemptions, (_index, { status, bytes }, milliseconds) => {
            if (status !== 200) throw new Error(`the server answered ${bytes.toString()}`)
            latencies.push(milliseconds)
          })
          elapsedMs += performance.now() - startedAt
        }
      } finally {
        for (const connection of open) connection.close()
      }
      return { perSecond: (latencies.length * 1000) / elapsedMs, p99: percentile(latencies, 0.99) }
    },
  }
}

export async function measureCodes(world: World): Promise<ResultRow[]> {
  const { engine, settings } = world
  const { server, dataset } = await world.running('small')
  const count = settings.isQuick ? 10 : 100
  const signed = await prepareTenants(count, () => signInAtTenant(dataset, server.port))
  const worker = new Worker(oidcProviderProcess, { PATH: process.env['PATH'], NODE_ENV: 'production' })
  try {
    const client = { clientId: 'app', clientSecret: 's'.repeat(43) }
    const known: KnownClient = { ...client, redirectUri, jwtResource, scope }
    const port = await worker.ask<number>(known)
    const alone = [await signInAtOidcProvider(port, client)]
    const rows: ResultRow[] = []
    for (const tokens of ['with a JWT for a resource', 'with an opaque access token'] as const) {
      const contestants = [redeeming(server.port, signed, tokens), redeeming(port, alone, tokens)]
      const [ours = [], memory = []] = await takeTurns(contestants, settings.pace)
      rows.push(
        ratioRow(compare(rates(ours), rates(memory)), {
          engine,
          measure: `Authorization code to tokens, ${tokens}; the codes of ${count} tenants were made before`,
          against: 'oidc-provider alone, one issuer, in memory',
          budget: atLeast(0.6),
        }),
      )
    }
    return rows
  } finally {
    await worker.stop()
  }
}
