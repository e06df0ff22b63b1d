// Somebody who follows a document to the letter: writes its files, starts its programs, publishes its records, and sends its requests.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { NameServer } from '../harness/outside/name-server.ts'
import { Names, type Step } from './printed-tour.ts'

const run = promisify(execFile)
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
/** How long a read may take to show what happens beside the requests: a message that is sent, a webhook that is delivered. */
const beside = { msMax: 20_000, everyMs: 200 } as const

export interface Surroundings {
  readonly names: NameServer
  /** Which address really stands behind each printed one, such as `127.0.0.1:4000`. */
  readonly addresses: ReadonlyMap<string, string>
}

export class DocumentReader {
  /** Where the reader works; packages are found there as if they had been installed. */
  readonly folder = mkdtempSync(join(tmpdir(), 'bailiwick-reader-'))
  readonly #surroundings: Surroundings
  readonly #learned = new Names()
  readonly #programs: ChildProcess[] = []

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    symlinkSync(modules, join(this.folder, 'node_modules'))
  }

  /** A printed text as it has to be here. */
  #here(text: string): string {
    let real = this.#learned.inText(text)
    for (const [printed, address] of this.#surroundings.addresses) real = real.replaceAll(printed, address)
    return real
  }

  /** An answer as it would be printed where the printed addresses are free. */
  #printed(text: string): string {
    let printed = text
    for (const [address, real] of this.#surroundings.addresses) printed = printed.replaceAll(real, address)
    return printed
  }

  /** @throws Error for an answer that is not the printed one. */
  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'file':
        return writeFileSync(join(this.folder, step.name), this.#here(step.text))
      case 'program':
        return this.#start(this.#here(step.command))
      case 'records':
        return this.#publish(this.#here(step.text))
      case 'request':
        return this.#ask(step)
    }
  }

  #start(command: string) {
    const [program = '', ...args] = command.split(' ')
    this.#programs.push(spawn(program, args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'] }))
  }

  #publish(text: string) {
    for (const [, name = '', value = ''] of text.matchAll(/^(\S+?)\.? +TXT +"([^"]*)"$/gm)) {
      this.#surroundings.names.records.set(name, [value])
    }
  }

  async #ask(step: Step & { readonly kind: 'request' }): Promise<void> {
    const script = this.#here(step.request)
    const deadline = Date.now() + beside.msMax
    for (;;) {
      const { failure, output } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: this.folder }).then(
        ({ stdout }) => ({ output: this.#printed(stdout), failure: undefined }),
        (error: unknown) => ({ output: '', failure: error }),
      )
      try {
        if (failure !== undefined) throw failure
        this.#learned.attempt(() => this.#compare(step, output))
        return
      } catch (cause) {
        if (!step.isRead || Date.now() > deadline) {
          throw new Error(`another answer is printed than was given to:\n${step.request}\n${output}`, { cause })
        }
      }
      await sleep(beside.everyMs)
    }
  }

  #compare({ answer, isJson }: Step & { readonly kind: 'request' }, output: string) {
    if (isJson) this.#learned.assertSame(JSON.parse(answer), JSON.parse(output))
    else this.#learned.learnFromText(answer.trimEnd(), output.replaceAll('\r', '').trimEnd())
  }

  stop() {
    for (const program of this.#programs) program.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
