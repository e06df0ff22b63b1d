// Starts the processes that answer requests, starts those again that end by themselves, and stops all of them together. It writes their logs,
// so that no line is torn.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import { bufferedStdout, createLog } from '../../platform/log.ts'
import { banner } from '../banner.ts'
import { exitStatus } from '../outcome.ts'
import type { Numbered, Ready, Used } from './messages.ts'

/** The pause before a process is started again, which doubles each time that it ends soon after. */
const pauseMs = 250
const pauseMsMax = 30_000
/** A process that has lived for so long begins with the shortest pause again. */
const livedMs = 60_000
/** npm forwards a signal to its child that the whole process group has received already: one that follows this soon is the same. */
const sameSignalMs = 1000

interface Target {
  write: (text: string) => void
}

/** Writes whole lines only. What a process that was killed leaves of a line becomes a line, too. */
function writeLines(worker: Worker, target: Target) {
  let rest = ''
  worker.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) target.write(rest + text.slice(0, end))
    rest = end > 0 ? text.slice(end) : rest + text
  })
  worker.process.stdout?.once('end', () => {
    if (rest !== '') target.write(`${rest}\n`)
  })
}

interface Running {
  readonly worker: Worker
  /** Resolves with its exit status, 128 if a signal ended it. */
  readonly ended: Promise<number>
}

class Processes {
  readonly #log: Logger
  readonly #target: Target
  readonly #running = new Map<number, Running>()
  readonly #stopping = new AbortController()
  #port: number | undefined

  constructor(log: Logger, target: Target) {
    this.#log = log
    this.#target = target
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Starts a process and starts it again whenever it ends. Resolves with its address when it listens for the first time. */
  async start(number: number): Promise<string> {
    return new Promise((resolve, reject) => void this.#keepAlive(number, resolve).catch(reject))
  }

  /** Resolves with the exit status when all have ended. */
  async stop(signal: NodeJS.Signals): Promise<number> {
    this.#stopping.abort()
    this.signal(signal)
    const codes = await Promise.all([...this.#running.values()].map(({ ended }) => ended))
    return codes.every((code) => code === 0) ? exitStatus.ok : exitStatus.failure
  }

  signal(signal: NodeJS.Signals) {
    for (const { worker } of this.#running.values()) worker.process.kill(signal)
  }

  async #keepAlive(number: number, onReady: (url: string) => void) {
    let failures = 0
    let wasReady = false
    while (!this.isStopping) {
      const startedAt = performance.now()
      const code = await this.#runOnce(number, (url) => {
        wasReady = true
        onReady(url)
      })
      if (this.isStopping) return
      // What it says on standard error has been shown. Without a first start there is nothing to keep alive.
      if (!wasReady) throw new StartFailed(code)
      if (performance.now() - startedAt > livedMs) failures = 0
      const ms = Math.min(pauseMs * 2 ** failures++, pauseMsMax)
      this.#log.error({ process: number, code, pauseMs: ms }, 'a process has ended and is started again')
      await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    }
  }

  async #runOnce(number: number, onReady: (url: string) => void): Promise<number> {
    const worker = cluster.fork()
    const ended = once(worker.process, 'close').then(([code]) => (typeof code === 'number' ? code : 128))
    this.#running.set(number, { worker, ended })
    writeLines(worker, this.#target)
    worker.on('message', (message: Ready | Used) => {
      if (message.type === 'ready') {
        this.#port = Number(new URL(message.url).port)
        onReady(message.url)
      } else this.#pass(message, worker)
    })
    const port = this.#port === undefined ? {} : { port: this.#port }
    worker.send({ type: 'numbered', number, ...port } satisfies Numbered, () => undefined)
    const code = await ended
    this.#running.delete(number)
    return code
  }

  #pass(message: Used, from: Worker) {
    for (const { worker } of this.#running.values()) {
      if (worker !== from && worker.isConnected()) worker.send(message, () => undefined)
    }
  }
}

/** The first process could not be started at all. */
class StartFailed extends Error {
  readonly code: number
  constructor(code: number) {
    super('a process could not be started')
    this.code = code
  }
}

/** Sharing a port also succeeds with the processes of another deployment. */
async function assertFree({ host, port }: Config): Promise<void> {
  const server = createServer()
  await once(server.listen({ host, port, exclusive: true }), 'listening')
  server.close()
  await once(server, 'close')
}

/** Runs the service in several processes until it is told to stop. */
export async function startProcesses(config: Config): Promise<void> {
  const target = bufferedStdout()
  const log = createLog(config, target)
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const processes = new Processes(log, target)
  const exit = (status: number) => log.flush(() => process.exit(status))
  let signalledAt: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt < sameSignalMs) return
      processes.signal('SIGKILL')
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
      return
    }
    signalledAt = performance.now()
    log.info({ signal, processes: config.processes }, 'stopping')
    void processes.stop('SIGTERM').then((status) => {
      log.info('stopped')
      exit(status)
    })
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  try {
    await assertFree(config)
    // The first one migrates the database, and finds out whether the service can start at all.
    const url = await processes.start(1)
    await Promise.all(Array.from({ length: config.processes - 1 }, (_, index) => processes.start(index + 2)))
    console.error(banner(config, url))
    log.info({ url, env: config.env, processes: config.processes }, 'ready')
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error
    await processes.stop('SIGTERM')
    exit(error.code)
  }
}
