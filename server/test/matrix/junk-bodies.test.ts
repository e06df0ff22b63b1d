// The generated junk matrix: every problem in a body is refused with 400, at its place, and nothing is written.
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { type Endpoint, type EndpointId, type ErrorBody, endpoints } from '@bailiwick/contract'
import { assertWritesNothing } from '../harness/databases/table-dump.ts'
import { type CallOptions, describeServiceOnce, operatorKey } from '../harness/service.ts'
import { junkBodies } from './junk.ts'
import { endpointIds, requests } from './requests.ts'
import { type World, createWorld } from './world.ts'

const headers = { 'content-type': 'application/json' }

/** Steps are a union that the schema of the body does not describe in detail. */
const badSteps: readonly (readonly [step: unknown, path: string])[] = [
  [null, '/steps/0'],
  ['blur', '/steps/0'],
  [{}, '/steps/0/type'],
  [{ type: 'swirl', options: {} }, '/steps/0/type'],
  [{ type: ['blur'], options: {} }, '/steps/0/type'],
  [{ type: 'blur' }, '/steps/0/options'],
  [{ type: 'blur', options: { strength: 3 } }, '/steps/0/options/blurType'],
  [{ type: 'blur', options: { blurType: 'slow' } }, '/steps/0/options/blurType'],
  [{ type: 'blur', options: { blurType: 'fast', strength: 0 } }, '/steps/0/options/strength'],
  [{ type: 'blur', options: { blurType: 'fast', strength: 101 } }, '/steps/0/options/strength'],
  [{ type: 'blur', options: { blurType: 'fast', strength: '3' } }, '/steps/0/options/strength'],
  [{ type: 'blur', options: { blurType: 'fast', url: 'x' } }, '/steps/0/options/url'],
  [{ type: 'flip', options: {}, extra: 1 }, '/steps/0/extra'],
  [{ type: 'rotate', options: { type: 'manual', degrees: 361 } }, '/steps/0/options/degrees'],
  [{ type: 'tint', options: { color: 'red;}' } }, '/steps/0/options/color'],
  [{ type: 'layer', options: { url: '' } }, '/steps/0/options/url'],
  [{ type: 'text', options: { text: 'hi', color: 'red', blendMode: 'normal' } }, '/steps/0/options/blendMode'],
]

describeServiceOnce('junk in bodies', (service) => {
  let world: World
  before(async () => {
    world = await createWorld(service())
  })

  const tokenFor = (id: EndpointId) =>
    ['create-tenant', 'operator'].includes(endpoints[id].permission) ? operatorKey : world.secretKey
  /** Sends the JSON text in place of the valid body. */
  const send = (id: EndpointId, valid: CallOptions, json: string) =>
    service().call<ErrorBody>(id, { ...valid, body: json, headers, token: tokenFor(id) })

  for (const id of endpointIds) {
    const endpoint: Endpoint = endpoints[id]
    // In a streamed body each line is answered separately.
    if (endpoint.body === undefined || endpoint.bodyType !== undefined) continue

    // Guards: unstorable-values
    it(`${id} refuses each with 400 at its place and writes nothing`, async () => {
      const valid: CallOptions = requests[id].valid(world)
      const junk = junkBodies(endpoint.body ?? {}, valid.body as object)
      assert.ok(junk.length > 20)
      await assertWritesNothing(service().deps.db, async () => {
        for (const { what, json, path } of junk) {
          const { status, body, text } = await send(id, valid, json)
          assert.deepEqual([status, body.code], [400, 'validation_failed'], `${what}: ${text}`)
          assert.deepEqual([...new Set(body.issues?.map((issue) => issue.path))], [path], `${what}: ${text}`)
        }
      })
      const { status, text } = await service().call(id, { ...valid, token: tokenFor(id) })
      assert.equal(status, 200, `what the junk was made of is valid: ${text}`)
    })

    it(`${id} names every broken rule at once`, async () => {
      const valid: CallOptions = requests[id].valid(world)
      const names = Object.keys(valid.body as object)
      const broken = Object.fromEntries([...names, 'unheardOf', 'unheardOfToo'].map((name) => [name, { a: 'b' }]))
      const { body } = await send(id, valid, JSON.stringify(broken))
      const paths = body.issues?.map((issue) => issue.path) ?? []
      for (const name of ['unheardOf', 'unheardOfToo', ...names.filter((each) => !takesAnything(endpoint, each))]) {
        assert.ok(paths.includes(`/${name}`), name)
      }
    })

    it(`${id} refuses a missing, empty, ill-formed or foreign body`, async () => {
      const valid: CallOptions = requests[id].valid(world)
      const { body: _body, ...bare } = { ...valid, token: tokenFor(id) }
      if (endpoint.isBodyOptional !== true) {
        const missing = await service().refused(id, 'validation_failed', bare)
        assert.deepEqual(
          missing.issues?.map((issue) => issue.path),
          [''],
        )
      }
      const text = JSON.stringify(valid.body)
      for (const json of ['{', '{"a":1}}', "{'a':1}", '{"a":01}', '{"a":NaN}', `\ufeff${text}`, `${text},`]) {
        await service().refused(id, 'malformed_json', { ...bare, headers, body: json })
      }
      const latin1 = Buffer.from('{"name":"\xe9"}', 'latin1')
      await service().refused(id, 'malformed_json', { ...bare, headers, body: latin1 })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'x']) {
        const foreign = { ...bare, headers: { 'content-type': type }, body: text }
        await service().refused(id, 'unsupported_media_type', foreign)
      }
      const tooLarge = `{"a":"${'x'.repeat(257 * 1024)}"}`
      await service().refused(id, 'payload_too_large', { ...bare, headers, body: tooLarge })
    })
  }

  for (const id of ['createTransformation', 'updateTransformation'] as const) {
    it(`${id} refuses a bad step at its place`, async () => {
      const valid: CallOptions = requests[id].valid(world)
      for (const [step, path] of badSteps) {
        const { status, body, text } = await send(
          id,
          valid,
          JSON.stringify({ ...(valid.body as object), steps: [step] }),
        )
        assert.equal(status, 400, text)
        assert.deepEqual([...new Set(body.issues?.map((issue) => issue.path))], [path], text)
      }
    })
  }
})

const takesAnything = (endpoint: Endpoint, property: string): boolean => {
  const { properties } = endpoint.body as unknown as {
    properties: Record<string, { type?: string | readonly string[] }>
  }
  const type = properties[property]?.type
  return type === undefined || [type].flat().includes('object')
}
