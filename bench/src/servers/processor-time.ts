// What requests take of the processor, in the processes of a service and of its database servers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sendAll } from '../load/codes.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { treeCpuSeconds } from './process-figures.ts'

/** The processor time of one request, in microseconds. */
export interface RequestTime {
  readonly service: number
  /** 0 if the database is in the service's own process. */
  readonly database: number
}

interface Measured {
  /** The process of the service, whose children count too. */
  readonly pid: number
  readonly port: number
  /** The processes of its PostgreSQL servers, whose children count too. */
  readonly databasePids: readonly number[]
}

/** Returns the process of a PostgreSQL server on this machine, of which all others are children. */
export function postgresPid(postgresUrl: string): number {
  const directory = new URL(postgresUrl).searchParams.get('host') ?? ''
  return Number(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
}

/**
 * Sends requests over new connections and returns what each has taken.
 * @param makeRequests makes them before the time is taken.
 */
export async function measureRequests(
  { pid, port, databasePids }: Measured,
  connections: number,
  makeRequests: (open: readonly HttpConnection[]) => Promise<readonly Buffer[]>,
): Promise<RequestTime> {
  const open = await Promise.all(
    // Each connection has an address of its own, because limits count by address.
    Array.from({ length: connections }, (_each, index) => HttpConnection.open(port, `127.0.0.${index + 2}`)),
  )
  try {
    const requests = await makeRequests(open)
    const readTimes = () => ({
      service: treeCpuSeconds(pid),
      database: databasePids.reduce((sum, each) => sum + treeCpuSeconds(each), 0),
    })
    const before = readTimes()
    await sendAll(open, requests, (_index, { status, bytes }) => {
      if (status !== 200) throw new Error(`${status}: ${bytes.toString('utf8').slice(0, 1000)}`)
    })
    const after = readTimes()
    const microseconds = (seconds: number) => (seconds * 1e6) / requests.length
    return {
      service: microseconds(after.service - before.service),
      database: microseconds(after.database - before.database),
    }
  } finally {
    for (const connection of open) connection.close()
  }
}
