// Does what a stranger does: clones the repository and starts, or tests, with nothing installed and nothing configured.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { strangersEnvironment } from '../scripts/packages/consumer-project.ts'

const repository = dirname(import.meta.dirname)
const workspace = mkdtempSync(join(tmpdir(), 'bailiwick-fresh-'))
const subset = 'contract/src/formats/slug.test.ts'
/** The three installations share the machine, which may be slow. */
const installSecondsMax = 400
const stopSecondsMax = 80

type Environment = Record<string, string | undefined>

interface Run {
  readonly child: ChildProcess
  readonly log: string
}

const running = new Set<Run>()

const signalGroup = (run: Run, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (run.child.pid === undefined) return
  try {
    process.kill(-run.child.pid, signal)
  } catch {
    // No process of the group is left.
  }
}

/** Starts npm in a process group of its own; what it prints is kept in a file and shown only if something goes wrong. */
const startNpm = (args: readonly string[], cwd: string, env: Environment): Run => {
  const log = `${cwd}.log`
  const output = openSync(log, 'w')
  const child = spawn('npm', args, { cwd, env, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const run = { child, log }
  running.add(run)
  return run
}

const exitOf = async (run: Run, secondsMax: number): Promise<string> => {
  const { child } = run
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(secondsMax * 1000) })
    await ended.catch((cause: unknown) => {
      throw new Error(`${child.spawnargs.join(' ')} did not end within ${secondsMax} s`, { cause })
    })
  }
  return child.signalCode ?? String(child.exitCode)
}

const clone = (name: string): string => {
  const target = join(workspace, name)
  execFileSync('git', ['clone', '--quiet', '--local', repository, target], { stdio: ['ignore', 'inherit', 'inherit'] })
  const head = (folder: string): string =>
    execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
  assert.equal(head(target), head(repository), 'the clone is not at the commit that is being checked')
  return target
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  server.close()
  await once(server, 'close')
  return address.port
}

const untilReady = async (run: Run, origin: string): Promise<void> => {
  const deadline = Date.now() + installSecondsMax * 1000
  while (Date.now() < deadline) {
    assert.ok(run.child.exitCode === null && run.child.signalCode === null, 'npm start ended before it was ready')
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === 200) return
    await sleep(200)
  }
  assert.fail(`not ready ${installSecondsMax} s after npm start`)
}

const call = async (method: string, url: string, body?: unknown): Promise<Record<string, unknown>> => {
  const init: RequestInit = { method, signal: AbortSignal.timeout(10_000) }
  if (body !== undefined)
    Object.assign(init, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const response = await fetch(url, init)
  const text = await response.text()
  assert.equal(response.status, 200, `${method} ${url}: ${text}`)
  return JSON.parse(text)
}

/** Returns whether a process of the group still runs; those that have ended and only wait to be reaped do not count. */
const groupRuns = (group: number): boolean =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((entry) => {
      let stat: string
      try {
        stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      } catch {
        return false
      }
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return processGroup === String(group) && state !== 'Z' && state !== 'X'
    })

/** Ends a run as a terminal or a supervisor does, by SIGTERM to the whole group. Returns the exit status of npm. */
const stopGroup = async (run: Run): Promise<string> => {
  const deadline = Date.now() + stopSecondsMax * 1000
  signalGroup(run, 'SIGTERM')
  const status = await exitOf(run, stopSecondsMax)
  while (run.child.pid !== undefined && groupRuns(run.child.pid)) {
    assert.ok(Date.now() < deadline, `a process of npm start still runs ${stopSecondsMax} s after SIGTERM`)
    await sleep(50)
  }
  running.delete(run)
  return status
}

const startsOnFirstCommand = async (): Promise<void> => {
  const folder = clone('start')
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const env = { ...strangersEnvironment(), PORT: String(port), BAILIWICK_DATA_DIR: dataDir }

  const first = startNpm(['start'], folder, env)
  await untilReady(first, origin)
  const created = await call('POST', `${origin}/api/v0/tenants`, { name: 'Fresh Clone', environment: 'development' })
  assert.equal(created['name'], 'Fresh Clone')
  const bySlug = `${origin}/api/v0/tenants/slug/${encodeURIComponent(String(created['slug']))}`
  assert.equal((await call('GET', bySlug))['id'], created['id'])
  // Where sh does not replace itself by its command, npm reports the signal that sh died of, whatever the server did.
  assert.match(await stopGroup(first), /^(?:0|SIGTERM)$/)
  await assert.rejects(fetch(`${origin}/readyz`), 'something still listens on the port')

  // bash does replace itself, so this time the status is the server's own, and what was written must have stayed.
  const second = startNpm(['start'], folder, { ...env, npm_config_script_shell: 'bash' })
  await untilReady(second, origin)
  assert.equal((await call('GET', bySlug))['id'], created['id'])
  assert.equal(await stopGroup(second), '0', 'the server did not end with status 0 after SIGTERM')
}

/** Runs a part of the tests as the first command in a clone of its own: it must install, select that part and pass. */
const testsOnFirstCommand = async (name: string, env: Environment): Promise<void> => {
  const folder = clone(name)
  const run = startNpm(['test', '--', subset], folder, env)
  assert.equal(await exitOf(run, installSecondsMax), '0', `npm test -- ${subset} failed`)
  running.delete(run)
  const passed = /^(?:#|ℹ) pass ([1-9]\d*)$/mu.exec(readFileSync(run.log, 'utf8'))
  assert.ok(passed, `npm test -- ${subset} ran no test`)
}

/** The environment of a machine whose own Node is the one that the dependencies bring. */
const withNewerNode = (): Environment => {
  const folder = join(workspace, 'newer-node')
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  const env = strangersEnvironment()
  return { ...env, PATH: `${folder}${delimiter}${env['PATH'] ?? ''}` }
}

const killAll = (): void => {
  for (const run of running) signalGroup(run, 'SIGKILL')
  rmSync(workspace, { recursive: true, force: true, maxRetries: 3 })
}

const timed = async (what: string, check: () => Promise<void>): Promise<void> => {
  const start = performance.now()
  await check()
  console.log(`   ${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

process.on('exit', killAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

try {
  // They share nothing but npm's cache, and each waits for the disk and the registry for part of its time.
  await Promise.all([
    timed('npm start as the first command', startsOnFirstCommand),
    timed('npm test as the first command', () => testsOnFirstCommand('test', strangersEnvironment())),
    timed(`npm test with Node ${process.versions.node} first on PATH`, () =>
      testsOnFirstCommand('newer', withNewerNode()),
    ),
  ])
} catch (error) {
  for (const run of running) console.error(`-- ${run.log.split(sep).at(-1)}\n${readFileSync(run.log, 'utf8')}`)
  console.error(error)
  // A child that still runs would keep this process waiting for it.
  process.exit(1)
}
