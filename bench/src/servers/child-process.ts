// Every server under test runs in a process of its own; all are started, called and ended in the same way.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Set while a run lasts, so that an interrupted run leaves no server behind. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function watch(child: ChildProcess) {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => void server.close(done))
  return port
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const overdue = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(overdue)
}

/** Starts a program whose standard output goes to a file, like a log; its standard error is kept for the message of a failure. */
export function spawnLogged(file: string, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string) {
  const log = openSync(logFile, 'w', 0o600)
  const child = spawn(process.execPath, [file, ...args], {
    cwd: repositoryRoot,
    env,
    stdio: ['ignore', log, 'pipe'],
  })
  closeSync(log)
  watch(child)
  child.once('exit', () => rmSync(logFile, { force: true }))
  const output = { text: '' }
  child.stderr?.on('data', (chunk: Buffer) => {
    output.text = (output.text + chunk.toString()).slice(-4000)
  })
  return { child, output }
}

/** A child process of ours that receives messages: one question at a time, with one answer each. */
export class Worker {
  readonly child: ChildProcess

  constructor(file: URL, env: NodeJS.ProcessEnv) {
    this.child = fork(file, { env, cwd: repositoryRoot, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    watch(this.child)
  }

  /** @throws Error if the child ends, or answers with an error. */
  ask<Answer>(question: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { child } = this
      const onExit = (code: number | null) => settle(() => reject(new Error(`the process ended with ${code}`)))
      const onMessage = (message: { readonly answer?: unknown; readonly error?: string }) =>
        settle(() =>
          message.error === undefined ? resolve(message.answer as Answer) : reject(new Error(message.error)),
        )
      const settle = (act: () => void) => {
        child.off('exit', onExit).off('message', onMessage)
        act()
      }
      child.on('exit', onExit).on('message', onMessage)
      child.send(question)
    })
  }

  stop(): Promise<void> {
    return stopChild(this.child)
  }
}

/** The child's side of a {@link Worker}. */
export function answerQuestions<Question>(answer: (question: Question) => Promise<unknown>) {
  // The parent process has ended.
  process.once('disconnect', () => process.exit())
  process.on('message', (question: Question) => {
    answer(question).then(
      (result) => process.send?.({ answer: result }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
}

function readMegabytes({ pid }: ChildProcess, field: 'VmRSS' | 'RssAnon'): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no ${field}`)
  return (Number(kilobytes) * 1024) / 1e6
}

/** Returns the resident memory of a process, in MB of 10^6 bytes. */
export const residentMegabytes = (child: ChildProcess): number => readMegabytes(child, 'VmRSS')

/** Returns what a process holds besides mapped files, in MB of 10^6 bytes. */
export const ownMegabytes = (child: ChildProcess): number => readMegabytes(child, 'RssAnon')
