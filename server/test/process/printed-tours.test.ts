import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { engines } from '../harness/databases/databases.ts'
import { freePort } from '../harness/free-port.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { type NameServer, startNameServer } from '../harness/outside/name-server.ts'
import { DocumentReader, type Surroundings } from './document-reader.ts'
import { Names, tourOf } from './printed-tour.ts'
import { newDeployment, startService } from './service-process.ts'

const document = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const printedAddress = '127.0.0.1:4000'
/** Each document with the minimum number of steps that must be found in it. */
const tours = {
  'README.md': 8,
  'docs/tour.md': 10,
  'docs/media.md': 9,
  'docs/sessions-and-cookies.md': 8,
  'docs/without-cookies.md': 6,
  'docs/organizations.md': 10,
  'docs/invitations.md': 8,
  'docs/social-sign-in.md': 3,
  'docs/custom-domain.md': 6,
  'docs/webhooks.md': 8,
  'docs/importing-users.md': 5,
} as const

/** What the tours require of their reader. */
async function putPhotograph(folder: string) {
  const create = { width: 4032, height: 3024, channels: 3, background: '#789' } as const
  await sharp({ create }).jpeg().toFile(join(folder, 'photo.jpg'))
}

// One service for all documents, each of which makes tenants of its own.
for (const engine of engines) {
  describe(`the printed requests, on ${engine}`, () => {
    const provider = new FakeIdentityProvider()
    let names: NameServer
    let surroundings: Surroundings
    before(async () => {
      await provider.start()
      names = await startNameServer()
      const { env } = await newDeployment(engine)
      const { url } = await startService({
        ...env,
        BAILIWICK_BASE_URL: `http://${printedAddress}/api/v0`,
        BAILIWICK_DNS_SERVERS: names.address,
      })
      const addresses = new Map([
        [printedAddress, new URL(url).host],
        ['127.0.0.1:5000', `127.0.0.1:${await freePort()}`],
        ['127.0.0.1:5001', new URL(provider.issuer).host],
      ])
      surroundings = { names, addresses }
    })
    after(async () => {
      await provider.stop()
      await names.close()
    })

    for (const [path, stepsMin] of Object.entries(tours)) {
      it(`of ${path} are answered, in order, as printed there`, async (t) => {
        const reader = new DocumentReader(surroundings)
        t.after(() => reader.stop())
        await putPhotograph(reader.folder)
        const steps = tourOf(document(path))
        const requests = steps.filter(({ kind }) => kind === 'request')
        assert.ok(requests.length >= stepsMin, `only ${requests.length} requests were found`)
        for (const step of steps) await reader.take(step)
      })
    }
  })
}

describe('README.md', () => {
  it('is short', () => {
    assert.ok(document('README.md').split('\n').length < 180)
  })
})

describe('the comparison of printed answers with real ones', () => {
  const one = 'c0mwq1wo74indi19ktvkgp7kr'
  const two = 'c0mwq1woags6vr7y02u8uge7q'
  const three = 'c0mwq1woage51vuq0byf7okrf'

  it('takes a printed id for one real id throughout', () => {
    const names = new Names()
    names.assertSame({ id: one, tenantId: one }, { id: two, tenantId: two })
    assert.equal(names.inText(`/tenants/${one}/brand`), `/tenants/${two}/brand`)
    assert.throws(() => names.assertSame({ id: one }, { id: three }))
    assert.throws(() => names.assertSame({ id: three }, { id: two }))
  })

  it('takes a printed signature for a real one, whatever that begins and ends with', () => {
    const names = new Names()
    for (const real of ['-a', 'a-', '_-', '-']) {
      names.learnFromText(`/image?v=1&s=p${real}`, `/image?v=1&s=${real}`)
      assert.equal(names.inText(`&s=p${real}`), `&s=${real}`)
    }
    assert.throws(() => names.learnFromText('/image?w=1&s=x', '/image?w=2&s=y'))
  })

  it('refuses any other difference', () => {
    const refused: [unknown, unknown][] = [
      [{ name: 'a' }, { name: 'b' }],
      [{ name: 'a' }, { name: 'a', more: 1 }],
      [{ name: 'a', more: 1 }, { name: 'a' }],
      [{ id: one }, { id: 'somebody' }],
      [{ at: '2026-11-21T06:52:49.409272Z' }, { at: '2026-11-21T06:52:49.409Z' }],
      [[1, 2], [1]],
      [{ 0: 1 }, [1]],
      [null, {}],
      [1, '1'],
    ]
    for (const [printed, real] of refused) assert.throws(() => new Names().assertSame(printed, real))
    new Names().assertSame({ name: 'a', '…': '…' }, { name: 'a', more: 1 })
    assert.throws(() => new Names().assertSame({ name: 'a', '…': '…' }, { more: 1 }))
  })
})
