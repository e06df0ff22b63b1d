// docs/testing-your-app.md as its reader uses it: its tests run with Node's test runner against a service, with the workspace's packages in place
// of the published ones.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { createTestTenant } from '@bailiwick/testing'
import { anyEngine } from '../harness/databases/engines.ts'
import { freePort } from '../harness/free-port.ts'
import { newDeployment, startService } from './service-process.ts'

const root = join(import.meta.dirname, '../../..')
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const chromium = browsers.find((path) => existsSync(path))

/** Stands in for the package of this name, which downloads a browser of its own. */
const playwright = `import { chromium as own } from ${JSON.stringify(join(root, 'node_modules/playwright-core/index.mjs'))}
export const chromium = { launch: () => own.launch({ executablePath: ${JSON.stringify(chromium)}, args: ['--no-sandbox'] }) }
`

function readFiles(): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'docs/testing-your-app.md'), 'utf8')
  const blocks = text.matchAll(/^`([\w.]+\.test\.js)`:\n\n```js\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

describe('docs/testing-your-app.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-testing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let url = ''
  before(async () => {
    const { env } = await newDeployment(anyEngine)
    const service = await startService({ ...env, PORT: String(await freePort()) })
    url = service.api
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, 'playwright'), { recursive: true })
    for (const name of ['@bailiwick', 'express']) symlinkSync(join(root, 'node_modules', name), join(modules, name))
    writeFileSync(join(modules, 'playwright/index.mjs'), playwright)
    writeFileSync(join(modules, 'playwright/package.json'), '{ "name": "playwright", "exports": "./index.mjs" }')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })

  it('has tests that pass as they are printed, a session of 30 days among them', async (t) => {
    const files = readFiles()
    assert.deepEqual([...files.keys()], ['session.test.js', 'seed.test.js', 'app.test.js', 'browser.test.js'])
    const names = [...files.keys()].filter((name) => chromium !== undefined || name !== 'browser.test.js')
    for (const name of names) writeFileSync(join(folder, name), files.get(name) ?? '')
    const env = { ...process.env, BAILIWICK_API_URL: url }
    for (const name of ['NODE_TEST_CONTEXT', 'NODE_OPTIONS']) delete (env as NodeJS.ProcessEnv)[name]
    const run = promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', ...names], { cwd: folder, env })
    const { stdout } = await run.catch((error: unknown) => assert.fail(String((error as { stdout?: unknown }).stdout)))
    assert.match(stdout, /^# fail 0$/m)
    assert.match(stdout, new RegExp(`^# pass ${names.length + 1}$`, 'm'))
    t.diagnostic(/# duration_ms .*/.exec(stdout)?.[0] ?? '')
  })

  it('describes a package that removes its tenants and names wrong input', async () => {
    await assert.rejects(createTestTenant({ url, name: 'x' }), { code: 'validation_failed' })
    const tenant = await createTestTenant({ url })
    await assert.rejects(tenant.advanceClock('a month'), TypeError)
    await assert.rejects(tenant.seed({ users: [{ role: 'Nobody' }] }), /no role Nobody/)
    await assert.rejects(tenant.lastMessage('nobody+test@example.com', { timeoutMs: 1 }), /no message to/)
    await tenant.advanceClock(60)
    assert.ok(tenant.now() > Date.now() + 59_000)
    await tenant.resetClock()
    await tenant.dispose()
    await assert.rejects(tenant.createUser(), { code: 'unauthenticated' })
  })
})
