import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Names, tourOf } from './readme-tour.ts'
import { newDeployment, startService } from './service-process.ts'

const run = promisify(execFile)
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const printedOrigin = 'http://127.0.0.1:4000'

describe('the tour of README.md', () => {
  it('answers every request, in order, as it is printed', async () => {
    const { env } = await newDeployment('sqlite')
    const service = await startService({ ...env, BAILIWICK_BASE_URL: `${printedOrigin}/api/v0` })
    const names = new Names()
    const steps = tourOf(readme)
    assert.ok(steps.length >= 14, `only ${steps.length} steps were found`)
    for (const { request, answer, isJson } of steps) {
      const script = names.inText(request).replaceAll(printedOrigin, service.url)
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script])
      try {
        if (isJson) names.assertSame(JSON.parse(answer), JSON.parse(stdout))
        else names.learnFromText(answer, stdout)
      } catch (error) {
        throw new Error(`README.md prints another answer than was given to:\n${request}\n${stdout}`, { cause: error })
      }
    }
  })

  it('is short', () => {
    assert.ok(readme.split('\n').length < 400)
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
