// The package `bailiwick` by itself: its tarball in an otherwise empty folder does what `npm start` does in a checkout.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aboutSqlite } from '../../server/test/harness/databases/engines.ts'
import { GuideWalk } from './guide-walk.ts'

/** Packing and installing take minutes on a busy machine. */
const limit = { timeout: 480_000 }

describe('the tarball of bailiwick in an empty folder', { ...limit, ...aboutSqlite }, () => {
  const walk = new GuideWalk()
  let asked: readonly string[] = []
  const url = (path: string) => walk.here(`http://127.0.0.1:4000${path}`)
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url(path), { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  before(async () => {
    asked = await walk.prepare()
    await walk.start('npx bailiwick start', walk.folder, 'service', /is ready/)
  }, limit)
  after(() => walk.end())

  it('is installed without another package of this repository', () => {
    assert.deepEqual(asked, [])
    const installed = readdirSync(join(walk.folder, 'node_modules'))
    assert.ok(installed.includes('bailiwick') && !installed.includes('@bailiwick'))
  })

  it('serves the interface and its description', async () => {
    const { status, text } = await get('/api/v0/openapi.json')
    assert.equal(status, 200)
    assert.ok(Object.keys((JSON.parse(text) as { paths: object }).paths).length > 100)
  })

  it('serves the console with the files that it loads', async () => {
    const { text } = await get('/console')
    const [path = assert.fail('the console is not built')] = /\/console\/assets\/[\w-]+\.js/.exec(text) ?? []
    const script = await get(path)
    assert.equal(script.status, 200)
    assert.ok(script.text.length > 100_000)
  })

  it('serves the reference of the interface, and says where the guides are', async () => {
    assert.match((await get('/docs/reference/users/')).text, /Create a user/)
    assert.match((await get('/docs/')).text, /The guides are in the repository/)
  })

  it('serves the pages of a tenant, in their languages and with style and script', async () => {
    const created = await fetch(url('/api/v0/tenants'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Bletchley Park', environment: 'development' }),
    })
    assert.equal(created.status, 200, await created.text())
    const page = await get('/t/bletchley-park/sign-in', { 'accept-language': 'de' })
    assert.match(page.text, /<html lang="de"[\s\S]*Anmelden/)
    const files = [...page.text.matchAll(/(?:href|src)="([^"]+\.(?:css|js)[^"]*)"/g)].map(([, path = '']) => path)
    assert.ok(files.length >= 2, page.text)
    for (const file of files) assert.equal((await get(new URL(file, url('/')).pathname)).status, 200, file)
  })
})
