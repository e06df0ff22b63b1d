import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { Names, tourOf } from './printed-tour.ts'
import { newDeployment, startService } from './service-process.ts'

const run = promisify(execFile)
const document = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const printedOrigin = 'http://127.0.0.1:4000'
const tours = [
  { path: 'README.md', stepsMin: 14 },
  { path: 'docs/media.md', stepsMin: 9 },
]

/** What the tours ask their reader to have. */
async function putPhotograph(folder: string) {
  const create = { width: 4032, height: 3024, channels: 3, background: '#789' } as const
  await sharp({ create }).jpeg().toFile(join(folder, 'photo.jpg'))
}

for (const { path, stepsMin } of tours) {
  describe(`the tour of ${path}`, () => {
    it('answers every request, in order, as it is printed', async (t) => {
      const { env } = await newDeployment('sqlite')
      const cwd = mkdtempSync(join(tmpdir(), 'bailiwick-reader-'))
      t.after(() => rmSync(cwd, { recursive: true, force: true }))
      await putPhotograph(cwd)
      const service = await startService({ ...env, BAILIWICK_BASE_URL: `${printedOrigin}/api/v0` })
      const names = new Names()
      const steps = tourOf(document(path))
      assert.ok(steps.length >= stepsMin, `only ${steps.length} steps were found`)
      for (const { request, answer, isJson } of steps) {
        const script = names.inText(request).replaceAll(printedOrigin, service.url)
        const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd })
        try {
          if (isJson) names.assertSame(JSON.parse(answer), JSON.parse(stdout))
          else names.learnFromText(answer.trimEnd(), stdout.trimEnd())
        } catch (error) {
          throw new Error(`${path} prints another answer than was given to:\n${request}\n${stdout}`, { cause: error })
        }
      }
    })
  })
}

describe('README.md', () => {
  it('is short', () => {
    assert.ok(document('README.md').split('\n').length < 400)
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
