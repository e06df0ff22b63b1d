// Connections of organizations: the processor time of a sign-in, a directory's list beside that of the management interface, and others'
// latency and the memory while a directory provisions very many people.
import { createPublicKey, sign, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { FakeIdentityProvider } from '@bailiwick/server/test/harness/outside/fake-identity-provider.ts'
import { base64, newProviderKey, responseXml, signed } from '@bailiwick/server/test/harness/saml/crafted-response.ts'
import { type Enterprise, createEnterprise, manage, returnUri } from '../../data/enterprise.ts'
import { createPeople } from '../../data/people.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { percentile } from '../../load/load.ts'
import { type RequestParts, bodyText, requestBytes } from '../../load/request.ts'
import { compare, median, rates, takeTurns } from '../../load/rounds.ts'
import { type ResultRow, atLeast, atMost, megabytes, milliseconds, ratioRow, valueRow } from '../../results.ts'
import { cpuSeconds, statusMegabytes } from '../../servers/process-figures.ts'
import { type Running, type World, httpContestant } from '../../world.ts'
import { check, signingIn } from '../sessions.ts'

/** So many that nobody has the greatest number of sessions, which each sign-in more would end one of. */
const peopleCount = 100
const signInsPerRound = 100
/** So many of each kind do not count: V8 optimises what has run long enough, and a person's first sign-in makes the user. */
const signInsBefore = 2000
const issuer = 'https://idp.example/metadata'
const providerKey = newProviderKey()
const directoryConnections = 8
const listed = 100

interface Place extends Running {
  readonly enterprise: Enterprise
  readonly idp: FakeIdentityProvider
}

/** A browser, from an address of its own, because the service limits the requests of one address. */
interface Visit extends Place {
  readonly connection: HttpConnection
}

const ask = ({ connection }: Visit, parts: RequestParts) => connection.send(requestBytes(parts))

/** A browser that has begun to sign in. */
async function leave(visit: Visit, type: 'oidc' | 'saml', person: number) {
  const { dataset, enterprise } = visit
  const { status, bytes } = await ask(visit, {
    method: 'POST',
    path: '/frontend/api/v0/sign-ins',
    headers: { 'x-public-key': dataset.main.publicKey },
    body: JSON.stringify({
      identifier: `${type}${person}@${enterprise.domain}`,
      strategy: 'enterprise',
      connectionId: enterprise[type].id,
      redirectUri: returnUri,
    }),
  })
  if (status !== 200) throw new Error(`a sign-in was answered ${bytes.toString()}`)
  const { data } = JSON.parse(bodyText(bytes)) as { data: { authorizeUri: string } }
  return { authorizeUri: data.authorizeUri, cookie: headersIn(bytes, 'set-cookie').map(withoutAttributes).join('; ') }
}

const headersIn = (answer: Buffer, header: string) =>
  [...answer.toString('latin1').matchAll(new RegExp(`\\r\\n${header}: *([^\\r]+)`, 'gi'))].map(
    ([, value = '']) => value,
  )
const withoutAttributes = (cookie: string) => cookie.split(';', 1)[0] ?? ''

/** Continues at an address of the service, whatever its host. */
async function follow(visit: Visit, address: string, parts: Omit<RequestParts, 'path'>) {
  const { pathname, search } = new URL(address)
  const { status, bytes } = await ask(visit, { ...parts, path: pathname + search })
  const [location = ''] = headersIn(bytes, 'location')
  if (status !== 303 || location.includes('error=')) throw new Error(`${pathname} answered ${bytes.toString()}`)
  return location
}

function requestIn(address: string) {
  const { searchParams } = new URL(address)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  return { id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' }
}

async function signInBySaml(visit: Visit, person: number) {
  const { saml, domain } = visit.enterprise
  const { authorizeUri, cookie } = await leave(visit, 'saml', person)
  const { id, relayState } = requestIn(authorizeUri)
  const xml = responseXml({
    issuer,
    audience: saml.saml?.ownEntityId ?? '',
    acsUrl: saml.saml?.acsUrl ?? '',
    inResponseTo: id,
    now: Date.now(),
    nameId: `saml${person}`,
    attributes: { email: `saml${person}@${domain}`, givenName: 'Ada', sn: 'Lovelace' },
  })
  const form = { SAMLResponse: base64(signed(xml, 'Assertion', providerKey)), RelayState: relayState }
  const next = await follow(visit, saml.saml?.acsUrl ?? '', {
    method: 'POST',
    mime: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(form).toString(),
  })
  await follow(visit, next, { method: 'GET', headers: { cookie } })
}

async function signInByOidc(visit: Visit, person: number) {
  const { authorizeUri, cookie } = await leave(visit, 'oidc', person)
  const email = `oidc${person}@${visit.enterprise.domain}`
  const back = visit.idp.agree(authorizeUri, { sub: `oidc${person}`, email, name: 'Ada Lovelace' })
  await follow(visit, back.href, { method: 'GET', headers: { cookie } })
}

/** The processor time of one check of a signature of 2,048 bits, in milliseconds. */
function signatureCheckMs(): number {
  const text = Buffer.alloc(1024, 'x')
  const signature = sign('sha256', text, providerKey.privateKey)
  const key = createPublicKey(providerKey.publicKey.export({ type: 'spki', format: 'pem' }))
  const count = 2000
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) verify('sha256', text, key, signature)
  return process.cpuUsage(before).user / 1000 / count
}

async function measureSignIns(world: World, place: Place): Promise<ResultRow[]> {
  const { pace, isQuick } = world.settings
  const { rounds } = pace
  const warmUpRounds = isQuick ? pace.warmUpRounds : signInsBefore / signInsPerRound
  const rows: ResultRow[] = []
  const checkMs = signatureCheckMs()
  const ways = { 'OpenID Connect': signInByOidc, 'SAML 2.0': signInBySaml }
  for (const [name, signIn] of Object.entries(ways)) {
    const times: number[] = []
    for (let round = -warmUpRounds; round < rounds; round++) {
      const before = cpuSeconds(place.server)
      for (let n = 0; n < signInsPerRound; n++) {
        const connection = await HttpConnection.open(place.server.port, `127.0.1.${(n % peopleCount) + 1}`)
        await signIn({ ...place, connection }, n % peopleCount)
        connection.close()
      }
      if (round >= 0) times.push(((cpuSeconds(place.server) - before) * 1000) / signInsPerRound)
    }
    rows.push(
      valueRow(median(times) - checkMs, {
        engine: world.engine,
        measure: `Processor time of a sign-in with ${name}, all its requests, without the check of the signature`,
        unit: milliseconds,
        note: `median of ${rounds} times ${signInsPerRound}, after ${warmUpRounds * signInsPerRound}; the check: ${milliseconds(checkMs)}`,
        budget: atMost(3, 'ms'),
      }),
    )
  }
  return rows
}

interface Directory {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

async function createDirectory({ dataset, server, enterprise }: Place): Promise<Directory> {
  const path = `/auth/connections/${enterprise.saml.id}/scim-tokens`
  const made = await manage<{ token: string; baseUri: string }>(dataset, server.port, 'POST', path, { name: 'bench' })
  return { path: new URL(made.baseUri).pathname, headers: { authorization: `Bearer ${made.token}` } }
}

const provision = ({ path, headers }: Directory, domain: string, n: number) =>
  requestBytes({
    method: 'POST',
    path: `${path}/Users`,
    headers,
    mime: 'application/scim+json',
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `person${n}@${domain}`,
      externalId: `e${n}`,
      name: { givenName: 'Ada', familyName: `Lovelace ${n}` },
      emails: [{ value: `person${n}@${domain}`, primary: true }],
      active: true,
    }),
  })

/** Provisions people from one number to before another. */
async function provisionAll({ server, enterprise }: Place, directory: Directory, from: number, to: number) {
  let next = from
  const loop = async () => {
    const connection = await HttpConnection.open(server.port)
    try {
      while (next < to) {
        const { status, bytes } = await connection.send(provision(directory, enterprise.domain, next++))
        if (status !== 201) throw new Error(`the directory was answered ${bodyText(bytes)}`)
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: directoryConnections }, loop))
}

async function measureDirectoryList(world: World, place: Place, directory: Directory): Promise<ResultRow> {
  const { dataset, server } = place
  await provisionAll(place, directory, 0, listed)
  const { path, headers } = directory
  const list = requestBytes({ method: 'GET', path: `${path}/Users?startIndex=1&count=${listed}`, headers })
  const managed = requestBytes({
    method: 'GET',
    path: `/api/v0/auth/users?tenantId=${dataset.main.id}&perPage=${listed}`,
    headers: { authorization: `Bearer ${dataset.main.secretKey}` },
  })
  const contestants = [list, managed].map((each) => httpContestant(server.port, 8, () => each))
  const [ours = [], management = []] = await takeTurns(contestants, world.settings.pace)
  return ratioRow(compare(rates(ours), rates(management)), {
    engine: world.engine,
    measure: `SCIM list of ${listed} users`,
    against: 'GET /auth/users, as many',
    budget: atLeast(0.5),
  })
}

/** Fewer than the service lets one address sign in within a minute. */
const requestsPerAddress = 500
let addresses = 0
const newAddress = () => `127.0.2.${(addresses++ % 250) + 1}`

/** Sends one request after another until the work is done; returns the milliseconds of each answer. */
async function timesDuring(port: number, next: () => Buffer, work: Promise<unknown>): Promise<number[]> {
  let connection = await HttpConnection.open(port, newAddress())
  const times: number[] = []
  const state = { isDone: false }
  void work.finally(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    if (times.length % requestsPerAddress === requestsPerAddress - 1) {
      connection.close()
      connection = await HttpConnection.open(port, newAddress())
    }
    const at = performance.now()
    const { status } = await connection.send(next())
    if (status !== 200) throw new Error(`a request beside the directory answered ${status}`)
    times.push(performance.now() - at)
    await pause(2)
  }
  connection.close()
  await work
  return times
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function measureProvisioning(world: World, place: Place, directory: Directory): Promise<ResultRow[]> {
  const { dataset, server } = place
  const { engine, settings } = world
  const count = settings.provisioned
  const name = `while SCIM provisions ${count.toLocaleString('en')} users`
  const { cookies, emails } = await createPeople(dataset, server.port)
  const asked = check(dataset, cookies[0] ?? '')
  // The first one's session must not end because of too many others.
  const signingInOthers = signingIn(dataset, emails.slice(1))
  const others = { 'session checks': () => asked, 'sign-ins with a password': signingInOthers }
  const kinds = Object.entries(others).map(([kind, next]) => ({
    kind,
    next,
    busy: [] as number[],
    idle: [] as number[],
  }))
  const [steps, memory]: [number, number[]] = [10, []]
  const share = count / steps / kinds.length
  for (let step = 0; step < steps; step++) {
    for (const [n, { next, busy, idle }] of kinds.entries()) {
      const from = listed + (step * kinds.length + n) * share
      const work = provisionAll(place, directory, from, from + share)
      busy.push(percentile(await timesDuring(server.port, next, work), 0.99))
      idle.push(percentile(await timesDuring(server.port, next, pause(5000)), 0.99))
    }
    memory.push(statusMegabytes(server, 'RssAnon'))
  }
  return [
    ...kinds.map(({ kind, busy, idle }) =>
      ratioRow(compare(busy, idle), {
        engine,
        measure: `p99 of ${kind} ${name}`,
        against: 'beside nothing',
        unit: milliseconds,
        budget: atMost(1.2),
      }),
    ),
    ratioRow(compare(memory.slice(-3), memory.slice(2, 5)), {
      engine,
      measure: `Own memory at the end ${name}`,
      against: 'after a third',
      unit: megabytes,
      budget: atMost(1.1),
    }),
    valueRow(Math.max(...memory), {
      engine,
      measure: `Highest own memory after a tenth ${name}`,
      unit: megabytes,
      note: `after each: ${memory.map((value) => value.toFixed(0)).join(', ')} MB`,
    }),
  ]
}

async function withPlace<Result>(world: World, measure: (place: Place, directory: Directory) => Promise<Result>) {
  const running = await world.running('small')
  const idp = new FakeIdentityProvider()
  await idp.start()
  try {
    const saml = { entityId: issuer, certificate: providerKey.certificate }
    const enterprise = await createEnterprise(running.dataset, running.server.port, idp, saml)
    const place = { ...running, enterprise, idp }
    return await measure(place, await createDirectory(place))
  } finally {
    await idp.stop()
  }
}

export const measureEnterprise = (world: World): Promise<ResultRow[]> =>
  withPlace(world, async (place, directory) => [
    ...(await measureSignIns(world, place)),
    await measureDirectoryList(world, place, directory),
  ])

export const measureDirectories = (world: World): Promise<ResultRow[]> =>
  withPlace(world, (place, directory) => measureProvisioning(world, place, directory))
