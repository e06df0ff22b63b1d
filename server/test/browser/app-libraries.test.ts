// The apps that docs/applications.md prints, one for each library, run as they are printed: each signs a user in through the hosted pages.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { ConsumerProject, strangersEnvironment, pinnedVersion } from '../../../scripts/packages/consumer-project.ts'
import { anyEngine } from '../harness/databases/engines.ts'
import { freePort } from '../harness/free-port.ts'
import { type ServiceProcess, newDeployment, request, startService, until } from '../process/service-process.ts'
import { describeBrowser, startChromium } from './chromium.ts'

const guide = readFileSync(new URL('../../../docs/applications.md', import.meta.url), 'utf8')
const password = 'correct horse battery staple'
const email = 'ada@acme.example'

/** What the registration of the library's app names beside its redirect addresses, as the table in the guide does. */
const registrations = {
  'express-openid-connect': { idTokenSigningAlg: 'RS256' },
  'openid-client': {},
  'Auth.js': {},
  'passport-openidconnect': { requirePkce: false },
  'simple-oauth2': { requirePkce: false },
  'oidc-client-ts': { type: 'spa' },
} as const
type Library = keyof typeof registrations

const packages = [
  'express@5.3.0',
  'express-session@1.19.0',
  'express-openid-connect@3.4.0',
  '@auth/express@0.12.3',
  'passport@0.7.0',
  'passport-openidconnect@0.1.2',
  'simple-oauth2@5.1.0',
  'oidc-client-ts@3.5.0',
]

/** Returns the app that the guide prints under the library's heading. */
function printedApp(library: Library): string {
  const [, section = ''] = guide.split(`\n### ${library}\n`)
  const [, code] = /^```js\n([^]*?)^```$/m.exec(section) ?? []
  return code ?? assert.fail(`the guide prints no app with ${library}`)
}

describeBrowser('the apps that docs/applications.md prints', () => {
  const project = new ConsumerProject()
  const children: ChildProcess[] = []
  const servers: Server[] = []
  let service: ServiceProcess
  let browser: Browser
  let tenantId = ''
  before(async () => {
    const { env } = await newDeployment(anyEngine)
    const installed = project.install(...packages, pinnedVersion('openid-client'))
    service = await startService({ ...env, PORT: String(await freePort()) })
    browser = await startChromium()
    const tenant = await request(`${service.api}/tenants`, { json: { name: 'Acme', environment: 'development' } })
    tenantId = String(tenant.body['id'])
    const user = await request(`${service.api}/auth/users`, { json: { tenantId, email, password, name: 'Ada' } })
    await request(`${service.api}/auth/email-addresses/verify`, { json: { id: user.body['primaryEmailId'] } })
    await installed
  })
  after(async () => {
    await browser.close()
    for (const child of children) child.kill('SIGKILL')
    for (const server of servers) server.close()
    project.remove()
  })

  /** Half of the apps call the service by its other name. */
  const issuerAt = (name: 'localhost' | '127.0.0.1') => {
    const url = new URL(`${new URL(service.api).origin}/t/${tenantId}`)
    url.hostname = name
    return url.href
  }

  async function register(library: Library, app: string) {
    const redirectUris = [`${app}/`, `${app}/callback`, `${app}/auth/callback/acme`]
    const json = {
      tenantId,
      name: library,
      type: 'web',
      redirectUris,
      postLogoutRedirectUris: [app],
      ...registrations[library],
    }
    const { status, body } = await request(`${service.api}/auth/applications`, { json })
    assert.equal(status, 200, JSON.stringify(body))
    const { clientId, clientSecret } = body as { readonly clientId: string; readonly clientSecret: string | null }
    return { clientId, clientSecret: clientSecret ?? '' }
  }

  async function signIn(page: Page) {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
  }

  /** Starts the printed app as a process of its own. */
  async function startApp(library: Library, issuer: string): Promise<string> {
    const port = await freePort()
    const app = `http://localhost:${port}`
    const { clientId, clientSecret } = await register(library, app)
    const file = join(project.folder, `${library}.mjs`)
    writeFileSync(file, printedApp(library))
    const settings = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, APP: app, PORT: String(port) }
    const env = { ...strangersEnvironment(), ...settings, SECRET: 'x'.repeat(32) }
    const child = spawn(process.execPath, [file], { cwd: project.folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
    children.push(child)
    await until(`the app with ${library} answers`, 60_000, async () => {
      assert.equal(child.exitCode, null, `the app with ${library} has ended`)
      return (await fetch(app, { redirect: 'manual' }).catch(() => undefined)) === undefined ? undefined : true
    })
    return app
  }

  /** Serves the printed module with the library as it is published, without a bundler. */
  async function startPage(library: Library, issuer: string): Promise<string> {
    const port = await freePort()
    const app = `http://localhost:${port}`
    const { clientId } = await register(library, app)
    const modules: Readonly<Record<string, string>> = {
      '/oidc-client-ts.js': 'oidc-client-ts/dist/esm/oidc-client-ts.js',
      '/jwt-decode.js': 'jwt-decode/build/esm/index.js',
    }
    const imports = { 'oidc-client-ts': '/oidc-client-ts.js', 'jwt-decode': '/jwt-decode.js' }
    const code = printedApp(library).replace('<issuer>', issuer).replace('<clientId>', clientId)
    const page = `<!doctype html><body><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${code}</script>`
    const server = createServer(({ url = '/' }, response) => {
      const module = modules[url]
      response.setHeader('content-type', module === undefined ? 'text/html' : 'text/javascript')
      response.end(module === undefined ? page : readFileSync(join(project.folder, 'node_modules', module)))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
    return app
  }

  for (const [index, library] of (Object.keys(registrations) as Library[]).entries()) {
    const name = index % 2 === 0 ? 'localhost' : '127.0.0.1'
    it(`sign a user in: ${library}, at the issuer on ${name}`, async () => {
      const start = library === 'oidc-client-ts' ? startPage : startApp
      const app = await start(library, issuerAt(name))
      const context = await browser.newContext({ locale: 'en' })
      const page = await context.newPage()
      // Some libraries give the issuer up after five seconds, and a busy machine may need more: then a person loads the page again.
      const load = (url: string) =>
        until(`${url} is shown`, 60_000, async () => {
          const at = performance.now()
          const response = await page.goto(url)
          if (response?.ok() === true) return true
          assert.ok(performance.now() - at > 5000, `${url} answered ${response?.status()}`)
          return undefined
        })
      await load(app)
      if (library === 'Auth.js') await page.getByRole('button', { name: 'Sign in with Acme' }).click()
      await signIn(page)
      await page.getByText(`Hello ${email}`).waitFor()
      assert.equal(new URL(page.url()).origin, app)
      if (library === 'express-openid-connect') {
        await load(`${app}/logout`)
        // The app asks for a sign-in again, and the tenant for the password.
        await page.getByLabel('E-mail address').waitFor()
      }
      await context.close()
    })
  }
})
