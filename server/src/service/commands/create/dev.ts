// Runs an app with the service beside it, for development: what the script `dev` of a new app does.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { CommandRefused } from '../../outcome.ts'
import { readEnv } from '../init/env-file.ts'
import { type LocalService, hasTenant, isAnswering, startLocalService } from './local-service.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface AppService {
  /** The base address of the frontend interface. */
  readonly url: string
  readonly tenantId: string
}

/** Returns which service and tenant the app in this folder uses. */
function readAppService(): AppService {
  const env = readEnv(existsSync('.env') ? readFileSync('.env', 'utf8') : '')
  const read = (name: string) => env.get(name) ?? env.get(`VITE_${name}`)
  const url = read('BAILIWICK_FRONTEND_API_URL')
  const tenantId = read('BAILIWICK_TENANT_ID')
  if (url === undefined || tenantId === undefined) {
    throw new CommandRefused('The file .env in this folder names no tenant. `npx bailiwick init` writes it.')
  }
  return { url, tenantId }
}

/** @throws CommandRefused if the service does not have the app's tenant: it may be that of another app on the same port. */
async function checkTenant({ tenantId, url }: AppService) {
  if (await hasTenant(url, tenantId)) return
  throw new CommandRefused(
    `The service at ${new URL(url).origin} does not have the tenant ${tenantId}, which .env names. If it belongs to another app, stop that one first.`,
  )
}

/** Runs the app until it ends; the service ends after it. Returns the exit status. */
function runApp([program = '', ...args]: readonly string[], service: LocalService | undefined): Promise<number> {
  // The programs of npm are scripts on Windows, which only a shell can start.
  const app: ChildProcess = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  let isStopping = false
  for (const signal of signals) {
    process.on(signal, () => {
      isStopping = true
      app.kill(signal)
    })
  }
  service?.child.once('exit', () => {
    if (isStopping) return
    process.stderr.write('The service has ended, and so the app is stopped.\n')
    app.kill('SIGTERM')
  })
  return new Promise((resolve, reject) => {
    app.once('error', (error) => {
      isStopping = true
      reject(new CommandRefused(`${program} cannot be started: ${error.message}`))
    })
    app.once('exit', (code, signal) => {
      isStopping = true
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

/**
 * Runs a program of the app in this folder, with the service beside it unless one answers already.
 * @param command the program and its arguments.
 * @returns the exit status of the program.
 * @throws CommandRefused if the service or the program cannot be started, or the service does not have the app's tenant.
 */
export async function dev(command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const used = readAppService()
  const service = (await isAnswering(used.url)) ? undefined : await startLocalService('.', used.url, env, false)
  try {
    await checkTenant(used)
    return await runApp(command, service)
  } finally {
    await service?.stop()
  }
}
