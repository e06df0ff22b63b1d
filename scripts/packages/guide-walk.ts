// Follows a guide as a reader does: its commands are run and its files written as they are printed, with the packages as they would be
// published, on free ports.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/test/harness/free-port.ts'
import { ConsumerProject, strangersEnvironment } from './consumer-project.ts'
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts'
import { packedPackages } from './packed-packages.ts'

const waitMsMax = 180_000
const pauseMs = 100

/** How the machine reaches its registry. */
function machineSettings(): string {
  const file = process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Waits until the check returns something. It never gives up before the time is over, because machines are slow. */
async function until<Found>(what: () => string, check: () => Promise<Found | undefined>): Promise<Found> {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += pauseMs) {
    const found = await check()
    if (found !== undefined) return found
    await sleep(pauseMs)
  }
  return assert.fail(what())
}

export class GuideWalk {
  readonly #project = new ConsumerProject()
  readonly #npmSettings = join(this.#project.folder, 'settings.npmrc')
  readonly #running: ChildProcess[] = []
  readonly #printed: string[] = []
  #registry: PackageRegistry | undefined
  #removePackages = () => {}
  #ports = { service: 4000, app: 3000 }

  /** The folder where the service is started and the apps are created. */
  get folder() {
    return this.#project.folder
  }

  /**
   * Prepares what publication provides: npm finds the packages of this scope, and `npx` the commands, whose tarballs are installed by
   * themselves.
   * @returns which packages of this scope npm asked for to install it.
   */
  async prepare(): Promise<readonly string[]> {
    const { packages, remove } = await packedPackages()
    this.#removePackages = remove
    this.#registry = await startPackageRegistry(packages)
    writeFileSync(this.#npmSettings, `${machineSettings()}\n@bailiwick:registry=${this.#registry.url}\n`)
    const tarballs = packages.filter(({ name }) => !name.startsWith('@')).map(({ tarball }) => `'${tarball}'`)
    await this.run(
      `npm install --no-audit --no-fund --prefer-offline --loglevel=error ${tarballs.join(' ')}`,
      this.folder,
    )
    this.#ports = { service: await freePort(), app: await freePort() }
    return [...this.#registry.requests]
  }

  /** Lets npm find the packages without a scope as well. It asks this registry for whatever it installs from now on. */
  publishAll() {
    const registry = `registry=${this.#registry?.url}\nreplace-registry-host=never\nprefer-offline=true\n`
    writeFileSync(this.#npmSettings, `${readFileSync(this.#npmSettings, 'utf8')}${registry}`)
  }

  /** Gives the next app a port of its own. */
  async takeAppPort() {
    this.#ports = { ...this.#ports, app: await freePort() }
  }

  async end() {
    for (const child of this.#running) this.signal(child, 'SIGKILL')
    this.#registry?.stop()
    this.#project.remove()
    this.#removePackages()
  }

  /** Returns a printed text with the ports of this machine. */
  here(text: string): string {
    return text.replaceAll(/\b4000\b/g, String(this.#ports.service)).replaceAll(/\b3000\b/g, String(this.#ports.app))
  }

  write(app: string, files: ReadonlyMap<string, string>) {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(app, name)), { recursive: true })
      writeFileSync(join(app, name), this.here(text))
    }
  }

  #spawn(script: string, cwd: string, env: NodeJS.ProcessEnv = {}) {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', this.here(script)], {
      cwd,
      env: { ...strangersEnvironment(), npm_config_userconfig: this.#npmSettings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The process leads a group of its own, so that a signal reaches everything that it has started.
      detached: true,
    })
    this.#running.push(child)
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed.push(chunk.toString())
        this.#printed.push(chunk.toString())
      })
    }
    return { child, printed: () => printed.join('') }
  }

  /** Runs a printed script to its end. Returns its output. */
  async run(script: string, cwd: string): Promise<string> {
    const { child, printed } = this.#spawn(script, cwd)
    const [code] = (await once(child, 'close')) as [number]
    assert.equal(code, 0, `${script}\n${printed()}`)
    return printed()
  }

  /** Starts a printed command that keeps running; resolves when it prints that it is ready. */
  async start(script: string, cwd: string, port: 'service' | 'app', ready: RegExp): Promise<ChildProcess> {
    const env = { PORT: String(this.#ports[port]), NEXT_TELEMETRY_DISABLED: '1' }
    const { child, printed } = this.#spawn(`exec ${script.trim()}`, cwd, env)
    await until(
      () => `${script} is not ready\n${printed()}`,
      async () => {
        assert.equal(child.exitCode, null, `${script} has ended\n${printed()}`)
        return ready.test(printed()) ? true : undefined
      },
    )
    return child
  }

  /** Signals a command's whole group, like a terminal: npx passes nothing on. */
  signal({ exitCode, pid, signalCode }: ChildProcess, signal: NodeJS.Signals) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal)
  }

  /** Returns the end of what all commands have printed, for a test that has failed. */
  printed(): string {
    return this.#printed.join('').slice(-8000)
  }

  /** Waits until nobody answers at an address any more. */
  async untilGone(address: string) {
    await until(
      () => `${address} goes on`,
      async () =>
        fetch(this.here(address)).then(
          () => undefined,
          () => true,
        ),
    )
  }

  /** The code in the latest message to an address, as the inbox of a development deployment shows it. */
  async sentCode(email: string, port = 4000): Promise<string> {
    return until(
      () => `no code was sent to ${email}`,
      async () => {
        const inbox = this.here(`http://127.0.0.1:${port}/dev/inbox?to=${encodeURIComponent(email)}`)
        return /data-copy="(\d{6})"/.exec(await (await fetch(inbox)).text())?.[1]
      },
    )
  }
}
