// A service on this machine that a command starts for an app. Its data is in the app's folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommandRefused } from '../../outcome.ts'

const cli = fileURLToPath(new URL('../../cli.mjs', import.meta.url))
const pauseMs = 100
const answerMs = 2000
const startMs = 60_000
/** Variables of the app, and where the app listens and has its own data: none of them is meant for the service. */
const ofTheApp =
  /^(?:BAILIWICK_(?:API_URL|FRONTEND_API_URL|PUBLIC_KEY|SECRET_KEY|TENANT_ID)|DATABASE_URL(?:_FILE)?|HOST|PORT)$/

export interface LocalService {
  readonly child: ChildProcess
  /** Resolves when it has answered what it was asked, and ended. */
  readonly stop: () => Promise<void>
}

/** Returns whether an address is one of this machine. */
export function isLocal(url: string): boolean {
  const { hostname, protocol } = URL.canParse(url) ? new URL(url) : { hostname: '', protocol: '' }
  return protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
}

/** Returns whether a service answers at this address, or at any path of it. Another program may answer everything with a page. */
export async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/livez', url), { signal: AbortSignal.timeout(answerMs) })
    const answer = (await response.json()) as { readonly status?: unknown } | null
    return response.ok && answer?.status === 'success'
  } catch {
    return false
  }
}

/** Returns whether the service at an address has a tenant. */
export async function hasTenant(url: string, tenantId: string): Promise<boolean> {
  const { status } = await fetch(`${new URL(url).origin}/t/${encodeURIComponent(tenantId)}/sign-in`)
  return status !== 404
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/**
 * Starts a service in a folder and waits until it answers.
 * @param url any address of it: its port is used.
 * @param isQuiet whether what it prints at its start is shown only if it fails.
 * @throws CommandRefused if the address is not one of this machine, or the service ends or does not answer within a minute.
 */
export async function startLocalService(
  folder: string,
  url: string,
  env: NodeJS.ProcessEnv,
  isQuiet: boolean,
): Promise<LocalService> {
  const { origin, port } = new URL(url)
  if (!isLocal(url)) throw new CommandRefused(`No service answers at ${origin}, which is not on this machine.`)
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !ofTheApp.test(name)))
  const child = spawn(process.execPath, [cli, 'start'], {
    cwd: folder,
    env: { ...kept, PORT: port === '' ? '80' : port },
    stdio: ['ignore', 'ignore', isQuiet ? 'pipe' : 'inherit'],
  })
  let printed = ''
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const stop = async () => {
    if (hasEnded(child)) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (let waitedMs = 0; waitedMs < startMs && !hasEnded(child); waitedMs += pauseMs) {
    if (await isAnswering(url)) return { child, stop }
    await sleep(pauseMs)
  }
  await stop()
  throw new CommandRefused(
    `${printed}No service could be started at ${origin}. If another program uses this port, name another address with --url.`,
  )
}
