// Uploads of one tenant delay no other tenant: neither images that wait for the storage nor SVG that takes long to sanitise.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUpload, sendBytes } from '../../../test/harness/factories.ts'
import { svg } from '../../../test/harness/files/images.ts'
import { drawn, png, red } from '../../../test/harness/files/pictures.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import type { Storage } from '../storage/storage.ts'
import { withCheckedImage } from './check-image.ts'

const count = 20
const kept = async () => undefined

describe('SVG that waits or is sanitised', () => {
  // Guards: slow-checks
  it('takes neither a place that other images need nor the only thread', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    const bytes = svg('<g/>')
    const given = { tenantId: 'one', mime: 'image/svg+xml', size: bytes.length } as const
    const held = Array.from({ length: count }, () => withCheckedImage({ ...given, load: () => promise }, kept))
    const image = await png(drawn(8, 8, () => red))
    for (const tenantId of ['one', 'other'])
      await withCheckedImage({ tenantId, mime: 'image/png', size: image.length, load: async () => image }, kept)
    await withCheckedImage({ ...given, tenantId: 'other', load: async () => bytes }, kept)
    resolve(bytes)
    await Promise.all(held)
  })
})

describeOnEachEngine('uploads of several tenants', (open) => {
  let service: TestService
  let holding: string | undefined
  const held: (() => void)[] = []
  before(async () => {
    const { database } = await open()
    service = await startTestService(database, undefined, ({ storage }) => {
      const put: Storage['put'] = async (key, ...rest) => {
        if (holding !== undefined && JSON.stringify(key).includes(holding))
          await new Promise<void>((resolve) => held.push(resolve))
        return storage.put(key, ...rest)
      }
      return {
        storage: new Proxy(storage, { get: (target, name) => (name === 'put' ? put : Reflect.get(target, name)) }),
      }
    })
  })
  after(() => service.app.close())

  async function send(tenantId: string, mime: string, bytes: Buffer) {
    const { uploadUrl } = await createUpload(service, tenantId, { mime, size: bytes.length })
    return (await sendBytes(service, uploadUrl, bytes)).status
  }

  // Guards: slow-checks
  it('continue while those of one tenant wait for the storage', async () => {
    const image = await png(drawn(8, 8, () => red))
    const { tenant: one } = await createTenant(service)
    const { tenant: other } = await createTenant(service)
    holding = one.id
    const waiting = Array.from({ length: 12 }, () => send(one.id, 'image/png', image))
    assert.equal(await send(other.id, 'image/png', image), 200)
    assert.equal(await send(other.id, 'image/svg+xml', svg('<g/>')), 200)
    holding = undefined
    const answered = Promise.all(waiting)
    for (const release of held) release()
    assert.ok((await answered).every((status) => status === 200))
  })

  // Guards: slow-checks
  it('continue while the SVG of one tenant takes long to sanitise', async () => {
    const attributes = Array.from({ length: 4000 }, (_, n) => `data-a${n}="1"`).join(' ')
    const slow = svg(`<g ${attributes}/>`)
    const { tenant: one } = await createTenant(service)
    const { tenant: other } = await createTenant(service)
    const image = await png(drawn(8, 8, () => red))
    const small = svg('<g/>')
    // Announced before, so that all of them arrive at once however slow the machine is.
    const announce = async (tenantId: string, mime: string, { length: size }: Buffer) =>
      (await createUpload(service, tenantId, { mime, size })).uploadUrl
    const slowOnes = await Promise.all(Array.from({ length: 8 }, () => announce(one.id, 'image/svg+xml', slow)))
    const [imageUrl, smallUrl] = [
      await announce(other.id, 'image/png', image),
      await announce(other.id, 'image/svg+xml', small),
    ]
    let answered = 0
    const waiting = slowOnes.map(async (url) => {
      await sendBytes(service, url, slow)
      answered++
    })
    const others = await Promise.all([sendBytes(service, imageUrl, image), sendBytes(service, smallUrl, small)])
    const answeredBefore = answered
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200],
    )
    await Promise.all(waiting)
    assert.ok(answeredBefore <= 4, `${answeredBefore} of 8 were answered before`)
  })
})
