// Damaged images are uploaded as clients do: whatever they do to a parser, a sanitiser or a decoder is answered and affects nothing else.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createFile, createTenant, createUpload, sendBytes } from '../../../test/harness/factories.ts'
import { mutated, random, validFiles, validSvg } from '../../../test/harness/files/hostile-files.ts'
import { filesOnDisk } from '../../../test/harness/files/media.ts'
import { drawn, png, red } from '../../../test/harness/files/pictures.ts'
import { describeService } from '../../../test/harness/service.ts'

const filesPerKind = 40

describeService('uploads with a few wrong bytes', (service) => {
  it('become files or are refused, as do their images, without effect on later uploads', async () => {
    const { tenant } = await createTenant(service())
    const next = random(11)
    const statuses = new Map<string, number>()
    const count = (what: string, status: number) => {
      statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1)
      assert.ok(status < 500, `${what} was answered with ${status}`)
    }
    const show = (id: string) => {
      const url = `/api/v0/media/${tenant.id}/${id}/image?w=20&f=webp`
      return service().request({ method: 'GET', url, headers: { host: 'id.test' } })
    }
    async function send(mime: string, bytes: Buffer) {
      const { id, uploadUrl } = await createUpload(service(), tenant.id, { mime, size: bytes.length })
      const { status } = await sendBytes(service(), uploadUrl, bytes)
      count('sent', status)
      if (status === 200) count('shown', (await show(id)).status)
    }

    const kinds: [string, Buffer][] = [['svg+xml', validSvg()]]
    for (const [kind, make] of Object.entries(validFiles)) kinds.push([kind.split(' ').at(-1) ?? kind, await make()])
    for (const [kind, valid] of kinds) {
      const files = Array.from({ length: filesPerKind }, () => mutated(valid, next))
      await Promise.all(files.map((bytes) => send(`image/${kind}`, bytes)))
    }
    const summary = JSON.stringify([...statuses])
    for (const seen of ['sent 200', 'sent 400', 'shown 200', 'shown 422']) assert.ok(statuses.has(seen), summary)
    assert.equal(filesOnDisk(service()).length, statuses.get('sent 200'), 'nothing is left of what was refused')

    const { id } = await createFile(service(), tenant.id, {}, await png(drawn(40, 40, () => red)))
    assert.equal((await show(id)).status, 200)
  })
})
