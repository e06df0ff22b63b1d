// What `npm run example` runs: the Express example on the packages as they would be published, beside a service with data of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packAll } from './packages/build.ts'
import { strangersEnvironment } from './packages/consumer-project.ts'
import { outputFolder, repository } from './packages/published.ts'

const service = 'http://127.0.0.1:4000'
const folder = join(outputFolder, 'example')
const secondsMax = 30
/** What somebody may have made in the example's own folder, with keys of another tenant in it. */
const leftBehind = new Set(['.env', '.bailiwick', 'data', 'node_modules'])
const children: ChildProcess[] = []

function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { cwd, env: { ...strangersEnvironment(), ...env }, stdio: 'inherit' })
  children.push(child)
  // One without the other is of no use.
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

async function createTenant() {
  const body = JSON.stringify({ name: 'My shop', environment: 'development' })
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(`${service}/api/v0/tenants`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { readonly id: string }
  const env = await fetch(`${service}/api/v0/auth/tenants/${id}/env`, { headers: { accept: 'text/plain' } })
  writeFileSync(join(folder, '.env'), await env.text())
}

// Signals reach the children by themselves; they end, and this ends with them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => children.forEach((child) => child.kill()))
if ((await answerOfService()) !== undefined) throw new Error(`something runs at ${service} already: stop it first`)
const packages = packAll(outputFolder).filter(({ name }) => name.startsWith('@'))
cpSync(join(repository, 'examples/express'), folder, {
  recursive: true,
  filter: (path) => !leftBehind.has(basename(path)),
})
const tarballs = packages.map(({ tarball }) => tarball)
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--prefer-offline', ...tarballs], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
start([join(repository, 'server/src/service/cli.mjs'), 'start'], folder, { PORT: '4000', BAILIWICK_DATA_DIR: 'data' })
await untilReady()
await createTenant()
start(['--env-file=.env', 'server.js'], folder, { PORT: '3000' })
