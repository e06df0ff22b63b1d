import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { endpoints } from '@bailiwick/contract'
import { type ServiceProcess, newDeployment, startService } from './service-process.ts'

const run = promisify(execFile)
const chromium = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file))

describe('the reference page', () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService((await newDeployment('sqlite')).env)
  })

  it('may talk only to this service, and loads from nowhere else', async () => {
    const page = await fetch(`${service.api}/reference/`)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html; charset=utf-8/)
    const policy = new Map(
      (page.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources] as const
      }),
    )
    assert.deepEqual(policy.get('default-src'), ["'none'"])
    assert.deepEqual(policy.get('connect-src'), ["'self'"])
    const scripts = policy.get('script-src') ?? []
    for (const source of scripts)
      assert.match(source, /^(?:'self'|'sha256-[\w+/]{43}=')$/, 'no inline script but the own')
    for (const [name, sources] of policy) {
      if (name === 'script-src') continue
      for (const source of sources) assert.match(source, /^(?:'none'|'self'|'unsafe-inline'|data:)$/, name)
    }
    const html = await page.text()
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//)
    const [, script = ''] = /<script src="([^"]+)"/.exec(html) ?? []
    const code = await fetch(new URL(script, `${service.api}/reference/`))
    assert.equal(code.status, 200)
    assert.match(code.headers.get('content-type') ?? '', /javascript/)
    await code.arrayBuffer()
  })

  it('is reached from its address without the slash, and shows every operation', async () => {
    assert.ok((await fetch(`${service.api}/reference`)).url.endsWith('/reference/'))
    const document = (await fetch(`${service.api}/openapi.json`).then((answer) => answer.json())) as {
      servers: { url: string }[]
      paths: Record<string, Record<string, unknown>>
    }
    for (const { path, method } of Object.values(endpoints)) {
      assert.ok(document.paths[path]?.[method.toLowerCase()] !== undefined, `${method} ${path} is missing`)
    }
  })

  if (chromium !== undefined) {
    it('opens in Chromium without a network, and requests nothing that it may not have', async () => {
      const profile = mkdtempSync(join(tmpdir(), 'bailiwick-chromium-'))
      try {
        const { stdout, stderr } = await run(
          chromium,
          [
            '--headless',
            '--no-sandbox',
            '--disable-gpu',
            `--user-data-dir=${profile}`,
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
            '--enable-logging=stderr',
            '--virtual-time-budget=10000',
            '--dump-dom',
            `${service.api}/reference/`,
          ],
          { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
        )
        assert.match(stdout, /<h1[^>]*>\s*Bailiwick/)
        assert.ok(stdout.includes('Tenant members'), 'the operations are not shown')
        assert.doesNotMatch(stderr, /Content Security Policy|ERR_NAME_NOT_RESOLVED.*CONSOLE|CONSOLE.*ERR_/)
      } finally {
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      }
    })
  }
})
