// What `npm run example -- [express|react|next|openid]` runs: an example that uses the packages as they would be published, beside a
// service with data of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packAll } from './packages/build.ts'
import { strangersEnvironment } from './packages/consumer-project.ts'
import { outputFolder, repository } from './packages/published.ts'

const service = 'http://127.0.0.1:4000'
const api = `${service}/api/v0`
const app = 'http://localhost:3000'
/** What the tenant of each example must know: the addresses at which its flows may end. */
const settings = {
  express: {},
  react: { homeUri: `${app}/` },
  next: { homeUri: `${app}/`, redirectUris: [`${app}/members`] },
  openid: {},
}
const folder = join(outputFolder, 'example')
const secondsMax = 30
/** Files that somebody may have created in the example's own folder, with keys of another tenant. */
const leftBehind = new Set(['.env', '.bailiwick', 'data', 'node_modules'])
const children: ChildProcess[] = []

type Name = keyof typeof settings
const isName = (name: string): name is Name => Object.hasOwn(settings, name)

function start(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const options = { cwd, env: { ...strangersEnvironment(), ...env }, stdio: 'inherit' } as const
  const child = spawn(program, args, { ...options, shell: process.platform === 'win32' && program === 'npm' })
  children.push(child)
  // The service and the example are of no use without each other.
  child.once('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 0
  })
}

const answerOfService = () => fetch(`${service}/readyz`).catch(() => undefined)

async function untilReady() {
  for (let second = 0; second < secondsMax; second++) {
    const response = await answerOfService()
    if (response?.ok === true) return
    await sleep(1000)
  }
  throw new Error(`the service is not ready after ${secondsMax} seconds`)
}

interface Created {
  readonly id: string
  /** Set for an application. */
  readonly clientId?: string
  readonly clientSecret?: string
}

async function call(method: string, path: string, body: object): Promise<Created> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as Created
}

/** Creates a tenant, and fills in its keys; the public ones also under the names that Vite passes to pages. */
async function createTenant(name: Name) {
  const { id } = await call('POST', '/tenants', { name: 'My shop', environment: 'development' })
  if (Object.keys(settings[name]).length > 0) await call('PUT', `/auth/tenants/${id}`, settings[name])
  if (name === 'openid') return registerApplication(id)
  const read = async (query = '') => {
    const env = await fetch(`${api}/auth/tenants/${id}/env${query}`, { headers: { accept: 'text/plain' } })
    return env.text()
  }
  const forPages = (await read('?scope=public')).replaceAll(/^(?=.)/gm, 'VITE_')
  writeFileSync(join(folder, '.env'), (await read()) + (name === 'react' ? forPages : ''))
}

async function registerApplication(tenantId: string) {
  const { clientId, clientSecret } = await call('POST', '/auth/applications', {
    tenantId,
    name: 'Example',
    type: 'web',
    redirectUris: [`${app}/callback`],
    postLogoutRedirectUris: [`${app}/`],
    requireConsent: false,
  })
  const discovery = await fetch(`${service}/t/${tenantId}/.well-known/openid-configuration`)
  const { issuer } = (await discovery.json()) as { readonly issuer: string }
  writeFileSync(
    join(folder, '.env'),
    `ISSUER=${issuer}\nCLIENT_ID=${clientId}\nCLIENT_SECRET=${clientSecret}\nAPP=${app}\n`,
  )
}

// The children receive the signals themselves; when they end, this ends too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => children.forEach((child) => child.kill()))
const [example = 'express'] = process.argv.slice(2)
if (!isName(example)) throw new Error(`there is no example ${example}: take one of ${Object.keys(settings).join(', ')}`)
if ((await answerOfService()) !== undefined) throw new Error(`something runs at ${service} already: stop it first`)
/** This example knows nothing about Bailiwick except its issuer. */
const packages = example === 'openid' ? [] : packAll(outputFolder).filter(({ name }) => name.startsWith('@'))
rmSync(folder, { recursive: true, force: true })
cpSync(join(repository, 'examples', example), folder, {
  recursive: true,
  filter: (path) => !leftBehind.has(basename(path)),
})
const tarballs = packages.map(({ tarball }) => tarball)
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--prefer-offline', ...tarballs], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
const serviceCommand = [join(repository, 'server/src/service/cli.mjs'), 'start']
start(process.execPath, serviceCommand, folder, { PORT: '4000', BAILIWICK_DATA_DIR: 'data' })
await untilReady()
await createTenant(example)
start('npm', ['start'], folder, { PORT: '3000', NEXT_TELEMETRY_DISABLED: '1' })
