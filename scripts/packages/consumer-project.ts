// An empty project elsewhere on the machine with the packed packages installed, as a user has it.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { readManifest, repository } from './published.ts'

const run = promisify(execFile)
const outputBytesMax = 16 * 1024 * 1024

/**
 * Returns an environment outside this repository: without its binaries, without what npm and Node hand down from an outer run, and without
 * the settings of the service. How the machine reaches its registry (npm_config_*, proxies, certificates) stays.
 */
export function strangersEnvironment(): NodeJS.ProcessEnv {
  const handedDown =
    /^(?:npm_(?!config_).*|npm_config_local_prefix|INIT_CWD|NODE_(?:ENV|OPTIONS|PATH|TEST_CONTEXT)|BAILIWICK_.*|(?:TEST_)?DATABASE_URL(?:_FILE)?|PORT|HOST)$/i
  const kept = Object.entries(process.env).filter(([name]) => !handedDown.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return {
    ...Object.fromEntries(kept),
    PATH: path.filter((folder) => !folder.endsWith(join('node_modules', '.bin'))).join(delimiter),
  }
}

/** The version that this repository itself uses, so that npm has it in its cache. */
export function pinnedVersion(name: string): string {
  const { version } = readManifest(join('node_modules', name))
  return `${name}@${version}`
}

export class ConsumerProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-consumer-')))

  constructor() {
    writeFileSync(join(this.folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n')
  }

  async install(...packages: readonly string[]) {
    await this.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages)
  }

  /** Copies a file of `consumer/`. */
  take(name: string) {
    cpSync(join(repository, 'scripts/packages/consumer', name), join(this.folder, name))
  }

  /** Runs a program in the project. Rejects with what it has printed. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: this.folder, env: strangersEnvironment(), maxBuffer: outputBytesMax }
    try {
      return (await run(program, args, options)).stdout
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { readonly stderr?: string; readonly stdout?: string }
      throw new Error(`${program} ${args.join(' ')} failed\n${stdout}${stderr}`, { cause: error })
    }
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
