// Session JWTs with claims of the tenant's own beside those without, and with what they say about the sign-in beside those without; questions
// about permissions beside look-ups, and checks of API keys of users beside those of sessions.
import { generateKeyPairSync } from 'node:crypto'
import { jwtType, signJwt } from '@bailiwick/server/src/identity/session-tokens/session-jwt.ts'
import { type SessionProof, proofClaims } from '@bailiwick/server/src/identity/sessions/proof.ts'
import { createClock } from '@bailiwick/server/src/platform/clock.ts'
import { toJson } from '@bailiwick/server/src/platform/json-text.ts'
import type { Dataset } from '../data/dataset.ts'
import { createPeople } from '../data/people.ts'
import { lookUp } from '../load/calls.ts'
import { requestBytes } from '../load/request.ts'
import { type Contestant, compare, rates, takeTurns } from '../load/rounds.ts'
import { type ResultRow, atLeast, atMost, milliseconds, ratioRow } from '../results.ts'
import { type World, httpContestant } from '../world.ts'
import { check } from './sessions.ts'

const connections = 32
const api = '/api/v0'

const mapped = ['user.id', 'user.email', 'user.publicMeta.plan', 'role.name', 'role.permissions', 'user.createdAt'].map(
  (source, n) => ({ claim: `c${n}`, in: ['session'], source, ifMissing: 'null' }),
)

/** Calls an operation of the management interface, whose answer is not measured. */
async function manage(port: number, key: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${await response.text()}`)
  return response.json()
}

function tokenRequests({ main }: Dataset, cookies: readonly string[]): () => Buffer {
  const requests = cookies.map((cookie) =>
    requestBytes({
      method: 'POST',
      path: '/frontend/api/v0/user/sessions/token',
      headers: { 'x-public-key': main.publicKey, cookie, 'sec-fetch-site': 'same-origin' },
      body: '{}',
    }),
  )
  let count = 0
  return () => requests[count++ % requests.length] ?? Buffer.alloc(0)
}

async function sessionTokens(world: World): Promise<ResultRow> {
  const { dataset, server } = await world.running('small')
  const { id, secretKey } = dataset.main
  const { cookies } = await createPeople(dataset, server.port)
  const tokens = httpContestant(server.port, connections, tokenRequests(dataset, cookies))
  const put = (claims: readonly object[]) =>
    manage(server.port, secretKey, 'PUT', `/auth/tenants/${id}/claims`, { claims })
  const withClaims = (claims: readonly object[]): Contestant => ({
    async run(seconds) {
      await put(claims)
      return tokens.run(seconds)
    },
  })
  const [ours = [], plain = []] = await takeTurns([withClaims(mapped), withClaims([])], world.settings.pace)
  await put([])
  return ratioRow(compare(rates(ours), rates(plain)), {
    engine: world.engine,
    measure: `Session JWT with ${mapped.length} claims of the tenant`,
    against: 'without them',
    budget: atLeast(0.95),
  })
}

const jwtsPerBlock = 10
const blocksPerRound = 1000
/** More than of requests, because the two differ by so little. */
const jwtRounds = 21

/** The service's own functions in this process, without the rest of a request, of which these claims would be a smaller part. */
function provenTokens({ engine, settings: { isQuick, pace } }: World): ResultRow {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = { kid: 'benchmark', key: Object.assign(privateKey, { dsaEncoding: 'ieee-p1363' } as const) }
  const now = createClock().now()
  const row: SessionProof = {
    created_at: now,
    auth_time: null,
    second_factor_at: now,
    factors: toJson(['email_password', 'authenticator_code']),
  }
  const seconds = Math.floor(Date.now() / 1000)
  const [iss, id] = ['https://id.example.com/frontend/api/v0', 'cmi7x9q3r0a1c6v9f3j5l2o4s']
  const times = { iat: seconds, nbf: seconds, exp: seconds + 60, jti: id }
  const email = { email: 'ada@people.example', emailVerified: true, phone: null, phoneVerified: false }
  const role = { role: 'editor', permissions: ['articles:read', 'articles:write'] }
  const claims = { sessionId: id, name: 'Ada Lovelace', username: null, image: null, ...email, ...role }
  const payload = { iss, sub: id, aud: `pk_${id}`, ...times, claims }
  const timed = (more: () => object) => {
    const startedAt = performance.now()
    for (let n = 0; n < jwtsPerBlock; n++) signJwt(signer, jwtType, { ...payload, ...more() })
    return (performance.now() - startedAt) / (jwtsPerBlock * blocksPerRound)
  }
  const variants = [() => proofClaims(row), () => ({})] as const
  const [ours, plain]: [number[], number[]] = [[], []]
  for (let round = -pace.warmUpRounds; round < (isQuick ? pace.rounds : jwtRounds); round++) {
    // In turns of less than a millisecond, so that other work of the machine affects both alike, and each goes first as often as the other.
    const sums: [number, number] = [0, 0]
    for (let block = 0; block < blocksPerRound; block++) {
      for (const index of block % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) sums[index] += timed(variants[index])
    }
    if (round < 0) continue
    ours.push(sums[0])
    plain.push(sums[1])
  }
  return ratioRow(compare(ours, plain), {
    engine,
    measure: 'Signing a session JWT with auth_time, amr and acr',
    against: 'without them',
    unit: milliseconds,
    budget: atMost(1.05),
  })
}

async function evaluations(world: World): Promise<ResultRow> {
  const { dataset, server } = await world.running('small')
  const { id, secretKey } = dataset.console
  const path = `/auth/users?tenantId=${id}&roleId=${dataset.roleId}&perPage=1`
  const { data } = (await manage(server.port, secretKey, 'GET', path)) as { data: readonly { id: string }[] }
  const question = requestBytes({
    method: 'POST',
    path: `${api}/auth/evaluations?tenantId=${id}`,
    headers: { authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({
      subject: { type: 'user', id: data[0]?.id },
      action: { name: 'read' },
      resource: { type: 'articles', id: '1' },
    }),
  })
  const contestants = [() => question, lookUp(dataset)].map((next) => httpContestant(server.port, connections, next))
  const [ours = [], lookUps = []] = await takeTurns(contestants, world.settings.pace)
  return ratioRow(compare(rates(ours), rates(lookUps)), {
    engine: world.engine,
    measure: 'Question about a permission',
    against: 'Look-up by public key',
    budget: atLeast(0.5),
  })
}

/** Both calls that check a key: that of servers, and that of gateways, whose key is in a header. */
async function keyChecks(world: World): Promise<ResultRow[]> {
  const { dataset, server } = await world.running('small')
  const { id: tenantId, secretKey } = dataset.main
  await manage(server.port, secretKey, 'PUT', `/auth/tenants/${tenantId}`, { userApiKeysEnabled: true })
  const { cookies } = await createPeople(dataset, server.port)
  const { data } = (await manage(server.port, secretKey, 'GET', `/auth/users?tenantId=${tenantId}&perPage=1`)) as {
    data: readonly { id: string }[]
  }
  const body = { tenantId, userId: data[0]?.id, name: 'Benchmark', scopes: [] }
  const { key } = (await manage(server.port, secretKey, 'POST', '/auth/user-api-keys', body)) as { key: string }
  const authorization = `Bearer ${secretKey}`
  const byGet = requestBytes({
    method: 'GET',
    path: `${api}/auth/api-keys/authorize?tenantId=${tenantId}`,
    headers: { authorization, 'x-api-key': key },
  })
  const byPost = requestBytes({
    method: 'POST',
    path: `${api}/auth/api-keys/verify`,
    headers: { authorization },
    body: JSON.stringify({ tenantId, key }),
  })
  // In turn, because one session may not ask as often as this.
  const sessions = cookies.map((cookie) => check(dataset, cookie))
  let turn = 0
  const nextSession = () => sessions[turn++ % sessions.length] ?? byGet
  const contestants = [() => byGet, () => byPost, nextSession].map((next) =>
    httpContestant(server.port, connections, next),
  )
  const [gets = [], posts = [], checks = []] = await takeTurns(contestants, world.settings.pace)
  return [gets, posts].map((ours, index) =>
    ratioRow(compare(rates(ours), rates(checks)), {
      engine: world.engine,
      measure: `Check of an API key of a user by ${index === 0 ? 'GET, with the key in a header' : 'POST'}`,
      against: 'Check of a session',
      budget: atLeast(0.8),
    }),
  )
}

export const measureClaims = async (world: World): Promise<ResultRow[]> => [
  await sessionTokens(world),
  provenTokens(world),
  await evaluations(world),
  ...(await keyChecks(world)),
]
