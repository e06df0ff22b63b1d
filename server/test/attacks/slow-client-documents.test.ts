// Where a client's document is, anybody may answer anything at any speed, and something else the next time. That costs the service a few seconds
// of one connection, and gives nobody a code for an address that the user was not asked about.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../src/applications/engine/paths.ts'
import { type EgressRequest, createEgress } from '../../src/platform/net/egress.ts'
import { inTime } from '../harness/in-time.ts'
import { VisitingBrowser, authorize, callbackUri, issuerOf, setOAuthSettings } from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeServiceWith } from '../harness/service.ts'

/** Of the server at which all documents are. */
let port = 0

const documentBytesMax = 5 * 1024
const documentMsMax = 5000
const verifier = 'v'.repeat(43)
/** The SHA-256 of the verifier. */
const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
  'base64url',
)

const documentAt = (url: string, changes: object = {}) => ({
  client_id: url,
  client_name: 'Notes',
  redirect_uris: [callbackUri],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  ...changes,
})

type Answering = (response: ServerResponse, url: string) => unknown
const inJson = { 'content-type': 'application/json' }
const sendDocument =
  (changes: object = {}, bytes?: number): Answering =>
  (response, url) => {
    const text = JSON.stringify(documentAt(url, changes))
    response.writeHead(200, inJson).end(bytes === undefined ? text : text.padEnd(bytes))
  }

/** What is at an address, by what is wrong with it. */
const refused: Readonly<Record<string, Answering>> = {
  nothing: () => undefined,
  'a document that trickles': async (response, url) => {
    response.writeHead(200, inJson)
    for (const character of JSON.stringify(documentAt(url))) {
      response.write(character)
      await sleep(200)
    }
    response.end()
  },
  'headers that trickle': async ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n')
    for (let isOpen = true; isOpen; await sleep(50)) isOpen = socket?.write('x-more: y\r\n') === true
  },
  'a body that does not end': async (response) => {
    response.writeHead(200, inJson)
    while (!response.destroyed) if (!response.write(' '.repeat(16_384))) await sleep(1)
  },
  'a document of a byte too many': sendDocument({}, documentBytesMax + 1),
  'a redirect to another one': (response) =>
    response.writeHead(302, { location: 'https://honest.example/client.json' }).end(),
}

describeServiceWith(
  'a client whose document is slow, large or changing',
  ({ egress }) => {
    const open = createEgress({ isPrivateAllowed: true })
    /** The addresses of clients are those of a server of this test, each with a path of its own. */
    const request = (url: string, options: EgressRequest) =>
      open.request(url.replace('https://', `http://127.0.0.1:${port}/`), options)
    return { egress: { ...egress, request } }
  },
  (service) => {
    let made = 0
    const open = new Set<Socket>()
    const answers = new Map<string, Answering>()
    let fetched = 0
    const server = createServer((request, response) => {
      fetched++
      const url = `https:/${request.url ?? ''}`
      void answers.get(url)?.(response, url)
    })
    server.on('connection', (socket) => {
      open.add(socket)
      socket.on('error', () => undefined).once('close', () => open.delete(socket))
    })
    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      port = (server.address() as AddressInfo).port
    })
    after(() => server.close())

    async function world() {
      const tenant = await tenantWith(service())
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      const issuer = issuerOf(service(), tenant.id)
      const begin = (clientId: string, redirectUri = callbackUri) =>
        new URL(
          `${issuer}${paths.authorization}?${new URLSearchParams({
            client_id: clientId,
            redirect_uri: redirectUri,
            response_type: 'code',
            scope: 'openid',
            code_challenge: challenge,
            code_challenge_method: 'S256',
          }).toString()}`,
        )
      return { tenant, issuer, begin }
    }
    function clientWith(answering: Answering) {
      const clientId = `https://client-${++made}.example/client.json`
      answers.set(clientId, answering)
      return clientId
    }

    // Guards: client-documents
    it('is none unless it is there, whole, within five seconds and 5 KiB, and keeps nobody waiting meanwhile', async () => {
      const { tenant, begin } = await world()
      const largest = await new VisitingBrowser(service()).visit(begin(clientWith(sendDocument({}, documentBytesMax))))
      assert.equal(largest.statusCode, 303, largest.body)
      // More at once than there are connections to the database.
      const asked = Object.entries(refused).flatMap(([what, answering]) =>
        Array.from({ length: 5 }, () => ({ what, answering })),
      )
      const { visiting: visits } = await inTime(documentMsMax, async () => {
        fetched = 0
        const state = { left: asked.length }
        const visiting = asked.map(async ({ what, answering }) => {
          const answer = await new VisitingBrowser(service()).visit(begin(clientWith(answering)))
          state.left--
          return { what, answer }
        })
        while (state.left > 0 && open.size < asked.length / 3) await sleep(5)
        await service().ok('getTenant', { params: { id: tenant.id } })
        await service().ok('updateTenant', { params: { id: tenant.id }, body: { name: 'Answered meanwhile' } })
        assert.ok(state.left > 0, 'others are answered before the slow ones are over')
        return { visiting }
      })
      for (const { what, answer } of await Promise.all(visits)) {
        assert.deepEqual([answer.statusCode, answer.headers['location']], [400, undefined], `${what}: ${answer.body}`)
      }
      while (open.size > 0) await sleep(5)
      assert.ok(fetched <= asked.length, 'each once at most')
    })

    // Guards: client-documents
    it('gets tokens for no other address than the one that its user was sent to, whatever its document says by then', async () => {
      const { tenant, issuer, begin } = await world()
      const user = await signedInUser(service(), tenant)
      const elsewhere = 'https://elsewhere.example/callback'
      const clientId = clientWith(sendDocument())
      const visiting = new VisitingBrowser(service())
      const back = await authorize(
        visiting,
        user.browser,
        { url: begin(clientId) } as Parameters<typeof authorize>[2],
        {
          scopes: ['openid'],
        },
      )
      assert.ok(back.href.startsWith(callbackUri) && back.searchParams.has('code'), back.href)
      answers.set(clientId, sendDocument({ redirect_uris: [elsewhere] }))
      const redeem = async (redirectUri: string) => {
        const form = {
          grant_type: 'authorization_code',
          client_id: clientId,
          code: back.searchParams.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }
        const answer = await visiting.send('POST', issuer + paths.token, new URLSearchParams(form))
        return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> }
      }
      // At each node, one of which has the earlier document in its memory.
      for (let times = 0; times < 4; times++) {
        const { status, body } = await redeem(elsewhere)
        assert.deepEqual([status, body['error']], [400, 'invalid_grant'], JSON.stringify(body))
      }
    })
  },
  2,
)
