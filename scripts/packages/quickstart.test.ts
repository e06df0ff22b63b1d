// docs/quickstart-express.md, walked: its commands are run and its files written as they are printed, on the packages as they would be
// published, and the page is used in Chromium.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { describeBrowser, startChromium } from '../../server/test/browser/chromium.ts'
import { freePort } from '../../server/test/harness/free-port.ts'
import { type PackedPackage, packAll } from './build.ts'
import { ConsumerProject, strangersEnvironment } from './consumer-project.ts'
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts'
import { readManifest, repository } from './published.ts'

const guide = readFileSync(join(repository, 'docs/quickstart-express.md'), 'utf8')
const readyMsMax = 60_000
const email = 'ada@example.com'
const password = 'correct horse battery staple'

/** The printed commands, in order. */
const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, script = '']) => script)
/** The printed files by name. `grant.js` is named in the sentence before it. */
const files = new Map(
  [...guide.matchAll(/`([\w/]+\.(?:js|html))`[^`]*?\n\n?```\w+\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
)

/** How the machine reaches its registry. */
function machineSettings(): string {
  const file = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

describe('docs/quickstart-express.md', () => {
  it('prints the files of examples/express', () => {
    assert.deepEqual([...files.keys()], ['server.js', 'public/index.html', 'public/app.js', 'grant.js'])
    for (const [name, text] of files) {
      assert.equal(text, readFileSync(join(repository, 'examples/express', name), 'utf8'), name)
    }
    assert.equal(readManifest('examples/express').version, readManifest('.').version)
  })
})

describeBrowser('in Chromium', () => {
  describe('the walk through docs/quickstart-express.md', () => {
    const project = new ConsumerProject()
    const output = mkdtempSync(join(repository, 'node_modules/.packages-'))
    const app = join(project.folder, 'my-shop')
    const npmSettings = join(project.folder, 'settings.npmrc')
    const running: ChildProcess[] = []
    let packages: readonly PackedPackage[]
    let registry: PackageRegistry | undefined
    let browser: Browser | undefined
    let ports: { readonly service: number; readonly app: number }

    /** A printed text, with the ports that are free on this machine. */
    const here = (text: string) =>
      text
        .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.service}`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.app}`)

    before(() => {
      packages = packAll(output)
    })
    // As after the publication: npm finds the packages of this scope, and `npx` the command.
    before(async () => {
      registry = await startPackageRegistry(packages)
      writeFileSync(npmSettings, `${machineSettings()}\n@bailiwick:registry=${registry.url}\n`)
      const ofApps = new Set(['@bailiwick/sdk', '@bailiwick/react'])
      const tarballs = packages.filter(({ name }) => !ofApps.has(name)).map(({ tarball }) => tarball)
      await project.install(...tarballs)
    })
    before(async () => {
      ports = { service: await freePort(), app: await freePort() }
      browser = await startChromium()
    })
    after(async () => {
      for (const child of running)
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGKILL')
      registry?.stop()
      project.remove()
      rmSync(output, { recursive: true, force: true })
      await browser?.close()
    })

    /** Runs a printed script to its end, in the folder that the scripts before have left. */
    async function run(script: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', here(script)], {
        cwd,
        env: { ...strangersEnvironment(), npm_config_userconfig: npmSettings, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      const [code] = (await once(child, 'close')) as [number]
      assert.equal(code, 0, `${script}\n${printed}`)
      return printed
    }

    /** Starts a printed command that goes on, until it prints what says that it is ready. */
    async function start(script: string, cwd: string, env: NodeJS.ProcessEnv, ready: RegExp): Promise<ChildProcess> {
      const options = { cwd, env: { ...strangersEnvironment(), ...env }, detached: true } as const
      const child = spawn('bash', ['-c', `exec ${script.trim()}`], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
      running.push(child)
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      for (let waited = 0; !ready.test(printed); waited += 100) {
        assert.ok(child.exitCode === null && waited < readyMsMax, `${script} is not ready\n${printed}`)
        await sleep(100)
      }
      return child
    }

    async function fill(page: Page, button: string) {
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: button }).click()
    }

    it('leads to an app whose users sign up, sign in and have permissions', async () => {
      const [startService = '', makeApp = '', makeTenant = '', runApp = '', grant = '', ...rest] = commands
      assert.deepEqual([startService, rest], ['npx bailiwick\n', []])
      const service = await start(startService, project.folder, { PORT: String(ports.service) }, /is ready/)
      assert.ok(existsSync(join(project.folder, '.bailiwick')))

      await run(makeApp, project.folder)
      await run(makeTenant, app)
      for (const [name, text] of files) {
        mkdirSync(dirname(join(app, name)), { recursive: true })
        writeFileSync(join(app, name), here(text))
      }
      await start(runApp, app, { PORT: String(ports.app) }, /The app is ready/)

      const page = await (browser ?? assert.fail('Chromium has not started')).newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      await page.goto(here('http://127.0.0.1:3000/'))
      await fill(page, 'Create an account')
      await page.getByLabel('The code that was sent to you').fill(await sentCode())
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByText(`You are signed in as ${email}.`).waitFor()

      await page.getByRole('button', { name: 'Show orders' }).click()
      await page.getByText('permission_required').waitFor()
      assert.match(await run(grant, app), /may read orders/)
      await page.reload()
      await page.getByRole('button', { name: 'Show orders' }).click()
      await page.getByText('Domesday').waitFor()

      // The app's server gets the session's cookie too, for a port makes no other site: it needs no token from the page.
      assert.match(
        await page.evaluate('fetch("/api/greeting").then((answer) => answer.text())'),
        /Hello, ada@example.com/,
      )
      assert.equal(await page.evaluate('fetch("/api/me").then(({ status }) => status)'), 200)

      await page.getByRole('button', { name: 'Sign out' }).click()
      await fill(page, 'Sign in')
      await page.getByText(`You are signed in as ${email}.`).waitFor()
      assert.deepEqual(problems, [])

      // As Ctrl-C in a terminal: to the whole group, for npx passes nothing on.
      process.kill(-(service.pid ?? assert.fail('it has not started')), 'SIGINT')
      const [code, signal] = (await once(service, 'exit')) as [number | null, string | null]
      // npx reports the signal, whatever the service did.
      assert.match(String(code ?? signal), /^(?:0|130|SIGINT)$/)
      await untilStopped()
    })

    async function untilStopped() {
      for (let waited = 0; waited < readyMsMax; waited += 100) {
        const isGone = await fetch(here('http://127.0.0.1:4000/livez')).then(
          () => false,
          () => true,
        )
        if (isGone) return
        await sleep(100)
      }
      assert.fail('the service goes on after npx has ended')
    }

    /** The code in the latest message, as the inbox of the development deployment shows it. */
    async function sentCode(): Promise<string> {
      for (let tries = 0; tries < 100; tries++) {
        const text = await (await fetch(here('http://127.0.0.1:4000/dev/inbox'))).text()
        const code = /\b\d{6}\b/.exec(text.replaceAll(/<style.*?<\/style>|#\d{6}/gs, ''))?.[0]
        if (code !== undefined) return code
        await sleep(100)
      }
      return assert.fail('no code was sent')
    }
  })
})
