// A private PgBouncer for tests, in transaction mode before a PostgreSQL that listens on a socket; removed when it is stopped or this process
// ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntilAnswered } from './private-servers.ts'

/** A name without slash is looked up in the PATH. */
const program = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer'

export interface PrivatePooler {
  /** Returns the address of the same database through the pooler. */
  pooled(url: string): string
  stop(): Promise<void>
}

/** The sample that docs/deploying.md recommends. */
const sample = readFileSync(new URL('../deploy/pgbouncer/pgbouncer.ini', import.meta.url), 'utf8')

/**
 * @param url the address of any database of the server, with its socket's folder as `host`.
 * @param options.connectQuery what the pooler runs on each connection that it opens.
 * @throws Error if PgBouncer is not installed or does not start.
 */
export async function startPrivatePooler(
  url: string,
  { connectQuery }: { connectQuery?: string } = {},
): Promise<PrivatePooler> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-pooler-'))
  chmodSync(folder, 0o755)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  const port = await portForNow()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, iniFile(url, port, connectQuery))
  const child = spawn(program, ['-q', file], { ...accountFor(url), stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const pooled = (direct: string) => {
    const address = new URL(direct)
    address.search = ''
    address.password = ''
    address.host = `127.0.0.1:${port}`
    return address.href
  }
  await waitUntilAnswered(child, pooled(url), 'PgBouncer')
  return {
    pooled,
    async stop() {
      process.off('exit', kill).off('exit', removeFolder)
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
      removeFolder()
    },
  }
}

/** PgBouncer does not run as root, and only the account of the server may reach its socket. */
function accountFor(url: string): { readonly uid: number; readonly gid: number } | undefined {
  const socketFolder = new URL(url).searchParams.get('host')
  if (process.getuid?.() !== 0 || socketFolder === null) return undefined
  const { uid, gid } = statSync(socketFolder)
  return { uid, gid }
}

/** Returns the sample for any database of this server, on another port and without passwords. */
function iniFile(url: string, port: number, connectQuery: string | undefined): string {
  const { hostname, port: serverPort, username, password, searchParams } = new URL(url)
  const query = connectQuery ?? /connect_query='([^']*)'/.exec(sample)?.[1]
  const server = {
    host: searchParams.get('host') ?? hostname,
    port: serverPort,
    user: username,
    password,
    connect_query: query === undefined ? '' : `'${query}'`,
  }
  const known = Object.entries(server).filter(([, value]) => value !== '')
  return sample
    .replace(/^bailiwick = .*$/m, `* = ${known.map(([name, value]) => `${name}=${value}`).join(' ')}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*\nauth_file = .*$/m, 'auth_type = any')
    .replace(
      /^default_pool_size = .*$/m,
      'default_pool_size = 10\n; Databases of tests are dropped soon after.\nserver_idle_timeout = 5',
    )
}

async function portForNow(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was free')
  return address.port
}
