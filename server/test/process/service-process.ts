// The service as it is run: a process of its own, started through the command line, reached over real connections.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  isOnCitus,
  newEmptyPostgresqlDatabase,
  newPostgresqlDatabase,
  startOwnPostgres,
} from '../harness/databases/databases.ts'

/** As `npm start` runs it, which `npm test` has built. */
const builtCli = fileURLToPath(new URL('../../.built/cli.mjs', import.meta.url))
/** A machine that runs something else beside the tests may take ten times as long as usual. */
const readyMsMax = 120_000
const exitMsMax = 120_000
const lookEveryMs = 10

export type Environment = Readonly<Record<string, string>>

/** The machine's environment, without the settings of a service and of the test runner, except the compile cache. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(?:BAILIWICK_.*|(?:TEST_)?DATABASE_URL(?:_FILE)?|PORT|HOST|NODE_(?!COMPILE_CACHE).*)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)))
}

const running = new Set<ChildProcess>()
const removals: (() => unknown)[] = []
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  for (const remove of removals) await remove()
})

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandProcess {
  readonly pid: number
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  hasEnded(): boolean
  /** Resolves when it has ended; rejects when that takes too long. */
  exit(): Promise<Exit>
}

export interface LaunchOptions {
  /** A file descriptor that replaces this process's end of the pipe. */
  readonly stdout?: 'pipe' | number
  /** How large files may become that the process writes, in blocks of 512 bytes: simulates a full disk. */
  readonly fileBlocksMax?: number
  /** What it reads from standard input; nothing by default. */
  readonly input?: string
  /** The command line of another version. */
  readonly cli?: string
}

/** Starts `bailiwick <args>`. */
export function startCommand(
  args: readonly string[],
  env: Environment = {},
  { stdout = 'pipe', fileBlocksMax, input, cli = builtCli }: LaunchOptions = {},
): CommandProcess {
  const command = [process.execPath, cli, ...args]
  const limited =
    fileBlocksMax === undefined ? command : ['sh', '-c', `ulimit -f ${fileBlocksMax} && exec "$@"`, 'sh', ...command]
  const [program = '', ...programArguments] = limited
  const child = spawn(program, programArguments, {
    env: { ...bareEnvironment(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
  })
  child.stdin?.end(input)
  running.add(child)
  let output = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal, stdout: output, stderr })
    })
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => output,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    hasEnded: () => !running.has(child),
    exit: () => within(exitMsMax, ended, () => `bailiwick ${args.join(' ')} does not end\n${stderr}`),
  }
}

/** Runs `bailiwick <args>` to its end; `input` is what it reads from standard input. */
export const runCommand = (args: readonly string[], env: Environment = {}, input?: string) =>
  startCommand(args, env, input === undefined ? {} : { input }).exit()

export interface ServiceProcess extends CommandProcess {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  /** The base address of the interface. */
  readonly api: string
  /** The lines of the log so far. */
  log(): Record<string, unknown>[]
}

/** Starts the service on a free port and waits until it says that it is ready. */
export async function startService(env: Environment, options: LaunchOptions = {}): Promise<ServiceProcess> {
  const command = startCommand(['start'], { PORT: '0', ...env }, options)
  const log = () =>
    command
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const url = await until('the service is ready', readyMsMax, () => {
    if (command.hasEnded()) assert.fail(`the service ended before it was ready:\n${command.stderr()}`)
    // In production the API is printed at its public address.
    const [, listens, api] =
      /^ {2}(?:Listens +(http:\/\/\S+) .*|API +(http:\/\/\S+)\/api\/v0)$/m.exec(command.stderr()) ?? []
    return listens ?? api
  })
  return { ...command, url, api: `${url}/api/v0`, log }
}

/** Resolves with the first value that `look` returns; fails if it returns none in time, and says what it waited for. */
export async function until<T>(
  what: string | (() => string),
  msMax: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + msMax
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline)
      assert.fail(`waited ${msMax} ms in vain until ${typeof what === 'string' ? what : what()}`)
    await sleep(lookEveryMs)
  }
}

async function within<T>(msMax: number, promise: Promise<T>, message: () => string): Promise<T> {
  const timer = new AbortController()
  const late = sleep(msMax, undefined, { signal: timer.signal, ref: false }).then(() => assert.fail(message()))
  late.catch(() => undefined)
  try {
    return await Promise.race([promise, late])
  } finally {
    timer.abort()
  }
}

export interface Deployment {
  readonly engine: 'sqlite' | 'postgresql'
  readonly dataDir: string
  /** PostgreSQL's. */
  readonly databaseUrl: string | undefined
  /** What a process of this deployment is started with. */
  readonly env: Environment
}

/**
 * A data directory of its own and, on PostgreSQL, a database of its own; both are removed after the file's tests. The database is empty, except
 * on Citus, where its tables are distributed already, unless `isEmpty` asks for one without any: a service would not distribute them.
 */
export async function newDeployment(engine: Deployment['engine'], { isEmpty = false } = {}): Promise<Deployment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bailiwick-process-'))
  removals.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  if (engine === 'sqlite') return { engine, dataDir, databaseUrl: undefined, env: { BAILIWICK_DATA_DIR: dataDir } }
  const { options, remove } = await (isOnCitus && !isEmpty ? newPostgresqlDatabase() : newEmptyPostgresqlDatabase())
  removals.push(remove)
  const env = { BAILIWICK_DATA_DIR: dataDir, DATABASE_URL: options.url }
  return { engine, dataDir, databaseUrl: options.url, env }
}

/** As `newDeployment`, with a PostgreSQL of its own that keeps what it acknowledged, which `doctor` insists on. */
export async function newDurableDeployment(engine: Deployment['engine']): Promise<Deployment> {
  const { dataDir, env } = await newDeployment('sqlite')
  if (engine === 'sqlite') return { engine, dataDir, databaseUrl: undefined, env }
  const postgres = await startOwnPostgres()
  removals.push(() => postgres.stop())
  return { engine, dataDir, databaseUrl: postgres.url, env: { ...env, DATABASE_URL: postgres.url } }
}

export interface JsonAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** One request with a JSON answer. */
export async function request(url: string, init: RequestInit & { readonly json?: unknown } = {}): Promise<JsonAnswer> {
  const { json, ...rest } = init
  const withBody =
    json === undefined
      ? rest
      : {
          ...rest,
          method: rest.method ?? 'POST',
          body: JSON.stringify(json),
          headers: { 'content-type': 'application/json', ...(rest.headers as Record<string, string> | undefined) },
        }
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000), ...withBody })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
