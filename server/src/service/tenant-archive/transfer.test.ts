// Archives over the operator's interface, on real connections: what arrives whole is imported, and whatever else happens leaves nothing.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorBody, ImportProgress } from '@bailiwick/contract'
import { engines } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { newService, passphrase } from '../../../test/harness/files/archives.ts'
import { handmadeArchive, handmadePassphrase } from '../../../test/harness/files/handmade-archive.ts'
import { type TestService, operatorKey } from '../../../test/harness/service.ts'
import { type World, createWorld } from '../../../test/matrix/world.ts'
import { newId } from '../../platform/ids.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { Places } from './transfer.ts'

const authorization = `Bearer ${operatorKey}`

interface Node {
  readonly service: TestService
  readonly port: number
}

async function listening(service: TestService): Promise<Node> {
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  return { service, port: (service.app.server.address() as AddressInfo).port }
}

const urlOf = ({ port }: Node, path: string) => `http://127.0.0.1:${port}/api/v0/deployment/${path}`

const download = (node: Node, tenantId: string) =>
  fetch(urlOf(node, `tenants/${tenantId}/archive`), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  })

type Part = readonly [name: string, value: string | Blob]
const passphrasePart: Part = ['passphrase', passphrase]
const filePart = (bytes: Uint8Array): Part => ['file', new Blob([new Uint8Array(bytes)])]

function upload(node: Node, parts: readonly Part[], init: RequestInit = {}) {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return fetch(urlOf(node, 'archives'), { method: 'POST', headers: { authorization }, body: form, ...init })
}

/** The lines of the answer, or its error as the only one. */
async function readLines(response: Response): Promise<(ImportProgress | ErrorBody)[]> {
  const text = await response.text()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ImportProgress]))
}

async function codeOf(response: Response): Promise<string | undefined> {
  return (await readLines(response)).at(-1)?.code
}

const waitMsMax = 60_000

async function until(condition: () => Promise<boolean>) {
  for (const deadline = Date.now() + waitMsMax; !(await condition()); await sleep(20))
    if (Date.now() > deadline) assert.fail('the condition was waited for in vain')
}

const listConnections = ({ service: { app } }: Node) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

const contentOf = async ({ service: { deps } }: Node) => {
  // The number of the last row that SQLite gave, which does not go back.
  const { sqlite_sequence: _sequence, ...tables } = await dumpTables(deps.db)
  return tables
}

async function assertLeavesNothing(node: Node, action: () => Promise<unknown>) {
  const held = await contentOf(node)
  await action()
  assert.deepEqual(await contentOf(node), held)
  assert.deepEqual(readdirSync(join(node.service.deps.config.dataDir, 'imports')), [])
}

/** The storage of a service, which waits with the first file while the gate is closed. */
class Gate {
  readonly reached = Promise.withResolvers<void>()
  readonly opened = Promise.withResolvers<void>()

  storageOf({ storage }: TestService['deps']): TestService['deps']['storage'] {
    const put: typeof storage.put = async (...given) => {
      this.reached.resolve()
      await this.opened.promise
      return storage.put(...given)
    }
    return new Proxy(storage, {
      get: (target, name) => {
        const value: unknown = name === 'put' ? put : Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }
}

for (const engine of engines) {
  describe(`an archive that is sent to a node on ${engine}`, () => {
    let source: Node
    let target: Node
    let world: World
    let bytes: Buffer

    before(async () => {
      source = await listening(await newService(engine))
      world = await createWorld(source.service)
      const answer = await download(source, world.tenantId)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${world.tenantId}.bailiwick"`)
      bytes = Buffer.from(await answer.arrayBuffer())
      target = await listening(await newService(engine))
    })

    // Guards: edited-archives
    it('is refused if it or its passphrase is not what was exported, and nothing is left', async () => {
      const half = bytes.subarray(0, Math.floor(bytes.length / 2))
      const refused: readonly (readonly [code: string, parts: readonly Part[]])[] = [
        ['archive_refused', [['passphrase', 'another passphrase'], filePart(bytes)]],
        ['archive_refused', [passphrasePart, filePart(half)]],
        ['archive_refused', [passphrasePart, filePart(bytes.subarray(0, -100))]],
        ['archive_refused', [passphrasePart, filePart(Buffer.from('no archive'))]],
        ['validation_failed', [filePart(bytes), passphrasePart]],
        ['validation_failed', [filePart(bytes)]],
        ['validation_failed', [['passphrase', 'short'], filePart(bytes)]],
        ['validation_failed', [passphrasePart]],
      ]
      await assertLeavesNothing(target, async () => {
        for (const [code, parts] of refused) assert.equal(await codeOf(await upload(target, parts)), code)
      })
    })

    // Guards: edited-archives
    it('leaves nothing if its sender hangs up in the middle, and the next one is taken', async () => {
      await assertLeavesNothing(target, async () => {
        const outgoing = beginForm(target, bytes.length)
        outgoing.write(bytes.subarray(0, 1000))
        await until(async () => (await upload(target, [passphrasePart])).status === 429)
        outgoing.destroy()
        await until(async () => (await upload(target, [passphrasePart])).status === 400)
      })
    })

    it('is refused before it is read if it is larger than any tenant, or its sender is not the operator', async () => {
      const tooLarge = beginForm(target, 100 * 2 ** 40)
      assert.equal(await readStatus(tooLarge), 413)
      const token = (await createWorld(source.service)).secretKey
      const stranger = beginForm(source, bytes.length, `Bearer ${token}`)
      assert.equal(await readStatus(stranger), 403)
    })

    // Guards: edited-archives
    it('is taken back if whoever sent it goes away, and no other is imported meanwhile', async () => {
      const gate = new Gate()
      const node = await listening(await newService(engine, (deps) => ({ storage: gate.storageOf(deps) })))
      await assertLeavesNothing(node, async () => {
        const leaving = new AbortController()
        const answer = await upload(node, [passphrasePart, filePart(bytes)], { signal: leaving.signal })
        await gate.reached.promise
        assert.notDeepEqual(await contentOf(node), {})
        const second = await upload(node, [passphrasePart, filePart(bytes)])
        assert.deepEqual([second.status, second.headers.get('retry-after')], [429, '10'])
        assert.equal(await codeOf(second), 'too_many_streams')
        leaving.abort()
        await assert.rejects(answer.text())
        await until(async () => (await listConnections(node)) <= 1)
        gate.opened.resolve()
        await until(async () => (await upload(node, [passphrasePart])).status === 400)
      })
      const last = (await readLines(await upload(node, [passphrasePart, filePart(bytes)]))).at(-1)
      assert.equal((last as ImportProgress).step, 'imported')
    })

    it('continues with the same ids and keys, says how far it is, and is not imported twice', async () => {
      const lines = await readLines(await upload(target, [passphrasePart, filePart(bytes)]))
      const steps = lines.map((line) => (line as ImportProgress).step)
      assert.deepEqual([...new Set(steps)], ['checking', 'writing', 'imported'])
      const { rows, rowsTotal, tenant } = lines.at(-1) as ImportProgress
      assert.deepEqual([rows, tenant?.id, tenant?.slug], [rowsTotal, world.tenantId, world.slug])
      const params = { id: world.userId }
      assert.deepEqual(
        await target.service.ok('getUser', { params, token: world.secretKey }),
        await source.service.ok('getUser', { params }),
      )
      const { type, actor_type: actor } = (await storedEvents(target.service, world.tenantId)).at(-1) ?? assert.fail()
      assert.deepEqual([type, actor], ['tenant.imported', 'operator'])
      const exported = (await storedEvents(source.service, world.tenantId)).map((event) => event.type)
      assert.ok(exported.includes('tenant.exported'))
      await assertLeavesNothing(target, async () => {
        const again = await upload(target, [passphrasePart, filePart(bytes)])
        assert.deepEqual([again.status, await codeOf(again)], [409, 'archive_conflict'])
      })
    })

    it('is refused with all that is in its way, where that is known only once it has been read', async () => {
      const taken = String((await target.service.ok('getTenant', { params: { id: world.tenantId } }))['slug'])
      const file = handmadeArchive(newId(), (row) => [{ ...row, slug: taken, slug_key: taken }])
      await assertLeavesNothing(target, async () => {
        const lines = await readLines(await upload(target, [['passphrase', handmadePassphrase], filePart(file)]))
        const { step, code, conflicts } = lines.at(-1) as ImportProgress
        assert.deepEqual([step, code, conflicts?.length], ['failed', 'archive_conflict', 1])
        assert.match(conflicts?.[0] ?? '', /same slug/)
      })
    })

    it("is not made of the console's own tenant, nor of one that there is not", async () => {
      const { service } = source
      const id = await getConsoleTenantId(service.deps.db)
      const body = { passphrase }
      await service.refused('exportTenant', 'forbidden', { params: { id: id ?? '' }, body })
      await service.refused('exportTenant', 'not_found', { params: { id: newId() }, body })
      await service.refused('exportTenant', 'validation_failed', {
        params: { id: world.tenantId },
        body: { passphrase: 'short' },
      })
    })
  })
}

describe('the places for archives', () => {
  it('are given back once, however often that is said', () => {
    const places = new Places(1)
    const leave = places.take()
    assert.throws(() => places.take(), { code: 'too_many_streams' })
    leave()
    leave()
    places.take()
    assert.throws(() => places.take(), { code: 'too_many_streams' })
  })
})

const boundary = 'never-closed'

/** Begins a form with the passphrase and the head of a file, and sends nothing else. */
function beginForm(node: Node, length: number, credential = authorization): ClientRequest {
  const outgoing = request(urlOf(node, 'archives'), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: credential,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': length + 1000,
    },
  })
  outgoing.on('error', () => undefined)
  outgoing.write(
    `--${boundary}\r\ncontent-disposition: form-data; name="passphrase"\r\n\r\n${passphrase}\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`,
  )
  return outgoing
}

/** The status of the answer to a request that is not finished. */
async function readStatus(outgoing: ClientRequest): Promise<number | undefined> {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    outgoing.once('response', (incoming) => resolve(incoming.statusCode)).once('error', reject)
  })
  outgoing.destroy()
  return status
}
