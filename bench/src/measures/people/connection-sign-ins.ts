// The processor time of a sign-in through a connection of an organization.
import { createPublicKey, sign, verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { readResponse } from '@bailiwick/server/src/enterprise/saml/assertions/read-response.ts'
import { base64, responseXml, signed } from '@bailiwick/server/test/harness/saml/crafted-response.ts'
import { type Enterprise, returnUri } from '../../data/enterprise.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { type RequestParts, bodyText, requestBytes } from '../../load/request.ts'
import { median } from '../../load/rounds.ts'
import { type ResultRow, atMost, milliseconds, valueRow } from '../../results.ts'
import { cpuSeconds } from '../../servers/process-figures.ts'
import type { World } from '../../world.ts'
import { type Place, issuer, providerKey } from './place.ts'

/** So many that nobody has the greatest number of sessions, which each sign-in more would end one of. */
const peopleCount = 250
const signInsPerRound = 400
/** How many people sign in at once: as many as the connections of everything else that is written. */
const visitors = 64
/** So many of each kind do not count: V8 optimises what has run long enough, and a person's first sign-in makes the user. */
const signInsBefore = 4000
const verifyingKey = createPublicKey(providerKey.publicKey.export({ type: 'spki', format: 'pem' }))

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

/** What the provider answers about a person, with its signature on the assertion. */
function responseFor({ saml, domain }: Pick<Enterprise, 'saml' | 'domain'>, request: string, person: number): string {
  const xml = responseXml({
    issuer,
    audience: saml.saml?.ownEntityId ?? '',
    acsUrl: saml.saml?.acsUrl ?? '',
    inResponseTo: request,
    now: Date.now(),
    nameId: `saml${person}`,
    attributes: { email: `saml${person}@${domain}`, givenName: 'Ada', sn: 'Lovelace' },
  })
  return base64(signed(xml, 'Assertion', providerKey))
}

async function signInBySaml(visit: Visit, person: number) {
  const { saml } = visit.enterprise
  const { authorizeUri, cookie } = await leave(visit, 'saml', person)
  const { id, relayState } = requestIn(authorizeUri)
  const form = { SAMLResponse: responseFor(visit.enterprise, id, person), RelayState: relayState }
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

/** The processor time of one call, in milliseconds. */
function callMs(call: () => unknown): number {
  const count = 2000
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) call()
  return process.cpuUsage(before).user / 1000 / count
}

/** What checks one signature of 2,048 bits. */
function bareCheck(): () => unknown {
  const text = Buffer.alloc(1024, 'x')
  const signature = sign('sha256', text, providerKey.privateKey)
  return () => verify('sha256', text, verifyingKey, signature)
}

/** What reads the answer of a SAML provider and checks its signature, for which XML is brought into its canonical form. */
function samlCheck({ domain, saml }: Enterprise): () => unknown {
  const samlResponse = responseFor({ domain, saml }, '_request', 1)
  return () => readResponse(samlResponse, { signedWith: [verifyingKey], decryptWith: null, mustBeEncrypted: false })
}

export async function measureSignIns(world: World, place: Place): Promise<ResultRow[]> {
  const { pace, isQuick } = world.settings
  const { rounds } = pace
  const warmUpRounds = isQuick ? pace.warmUpRounds : signInsBefore / signInsPerRound
  const rows: ResultRow[] = []
  const ways = [
    { name: 'OpenID Connect', signIn: signInByOidc, checkMs: callMs(bareCheck()) },
    { name: 'SAML 2.0', signIn: signInBySaml, checkMs: callMs(samlCheck(place.enterprise)) },
  ]
  for (const { name, signIn, checkMs } of ways) {
    const times: number[] = []
    for (let round = -warmUpRounds; round < rounds; round++) {
      const before = cpuSeconds(place.server)
      let next = 0
      const visitor = async () => {
        while (next < signInsPerRound) {
          const person = next++ % peopleCount
          const connection = await HttpConnection.open(place.server.port, `127.0.1.${person + 1}`)
          await signIn({ ...place, connection }, person)
          connection.close()
        }
      }
      await Promise.all(Array.from({ length: visitors }, visitor))
      if (round >= 0) times.push(((cpuSeconds(place.server) - before) * 1000) / signInsPerRound)
    }
    rows.push(
      valueRow(median(times) - checkMs, {
        engine: world.engine,
        measure: `Processor time of a sign-in with ${name}, all its requests, without the check of the signature`,
        unit: milliseconds,
        note: `median of ${rounds} times ${signInsPerRound}, after ${warmUpRounds * signInsPerRound}, ${visitors} at once; the check: ${milliseconds(checkMs)}`,
        budget: atMost(3, 'ms'),
      }),
    )
  }
  return rows
}
