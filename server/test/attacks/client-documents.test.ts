// A client's address is anybody's, and so is what it answers with: a redirect into the network, a document of another client, one without an
// end. Nothing but a complete document that names its own address makes a client.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { paths } from '../../src/applications/engine/paths.ts'
import type { EgressResponse } from '../../src/platform/net/egress.ts'
import {
  VisitingBrowser,
  callbackUri,
  interactionOf,
  issuerOf,
  setOAuthSettings,
} from '../harness/people/authorization.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { describeServiceWith } from '../harness/service.ts'

const honest = (url: string) => ({
  client_id: url,
  client_name: 'Notes',
  redirect_uris: [callbackUri],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})
const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }
const answering = (body: unknown, change: Partial<EgressResponse> = {}): EgressResponse => ({
  status: 200,
  headers: json,
  isTruncated: false,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...change,
})

/** What an address answers with, by what is wrong with it. */
const refused: Readonly<Record<string, (url: string) => EgressResponse>> = {
  'a redirect into the network': () =>
    answering('', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } }),
  'a redirect to an honest document': () =>
    answering('', { status: 301, headers: { location: 'https://honest.example/client.json' } }),
  'a document that has no end': (url) => answering(honest(url), { isTruncated: true }),
  'the document of another client': () => answering(honest('https://honest.example/client.json')),
  'the same address in other spelling': (url) => answering(honest(`${url}?`)),
  'a document without its address': (url) => answering({ ...honest(url), client_id: undefined }),
  'a list': (url) => answering([honest(url)]),
  'half a document': (url) => answering(JSON.stringify(honest(url)).slice(0, -2)),
  'an error with a document': (url) => answering(honest(url), { status: 404 }),
  'a client with a secret': (url) =>
    answering({ ...honest(url), token_endpoint_auth_method: 'client_secret_basic', client_secret: 'known to all' }),
  'redirects to a script': (url) => answering({ ...honest(url), redirect_uris: ['javascript:alert(1)', callbackUri] }),
  'no redirect that was asked for': (url) =>
    answering({ ...honest(url), redirect_uris: ['https://elsewhere.example/callback'] }),
}

let made = 0
const answers = new Map<string, EgressResponse>()
const fetched: string[] = []
const request = async (url: string): Promise<EgressResponse> => {
  fetched.push(url)
  const answer = answers.get(url)
  if (answer === undefined) throw new Error(`nobody is at ${url}`)
  return answer
}

describeServiceWith(
  'a client by its address',
  ({ egress }) => ({ egress: { ...egress, request } }),
  (service) => {
    const visit = async (
      answerOf: (url: string) => EgressResponse,
      clientId = `https://notes-${++made}.example/client`,
    ) => {
      const tenant = await tenantWith(service())
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      answers.set(clientId, answerOf(clientId))
      fetched.length = 0
      const search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: callbackUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
      })
      const begin = () =>
        new VisitingBrowser(service()).visit(
          `${issuerOf(service(), tenant.id)}${paths.authorization}?${search.toString()}`,
        )
      return { begin, answer: await begin(), clientId }
    }

    // Guards: client-documents
    it('is one if the address answers with its own document', async () => {
      const { answer, clientId } = await visit((url) => answering(honest(url)))
      assert.deepEqual([answer.statusCode, fetched], [303, [clientId]])
      assert.ok(interactionOf(answer.headers['location']) !== null)
    })

    for (const [what, answerOf] of Object.entries(refused)) {
      // Guards: client-documents
      it(`is none if the address answers with ${what}`, async () => {
        const { answer, clientId } = await visit(answerOf)
        assert.deepEqual([answer.statusCode, answer.headers['location']], [400, undefined], answer.body)
        assert.deepEqual(fetched, [clientId], 'it is asked once, and nobody else is')
        assert.ok(!answer.body.includes('169.254') && !answer.body.includes('javascript:'), answer.body)
      })
    }
  },
  2,
)
