// A closed loop: a number of connections, each of which sends its next request when the last one is answered.
import { HttpConnection } from './http-connection.ts'

/** The result of one measured span. */
export interface Sample {
  readonly perSecond: number
  /** In milliseconds; undefined if there are no requests to time. */
  readonly p99: number | undefined
}

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Returns the bytes of the next request. */
  readonly next: () => Buffer
  /** Whether each connection comes from an address that none came from before: the limit of an address ends no round. */
  readonly hasOwnAddresses?: boolean
}

/** Returns the value that a given share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('there are no values')
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Keeps every connection busy for the given time, and returns the milliseconds of each answer.
 * @throws Error if any answer is not 200, because a rate of failures measures nothing.
 */
export async function keepBusy(
  connections: readonly HttpConnection[],
  next: () => Buffer,
  milliseconds: number,
): Promise<number[]> {
  const latencies: number[] = []
  const end = performance.now() + milliseconds
  const loop = async (connection: HttpConnection) => {
    for (let sentAt = performance.now(); sentAt < end;) {
      const { status, bytes } = await connection.send(next())
      const answeredAt = performance.now()
      if (status !== 200) throw new Error(`the server answered ${bytes.toString('utf8').slice(0, 1000)}`)
      latencies.push(answeredAt - sentAt)
      sentAt = answeredAt
    }
  }
  await Promise.all(connections.map(loop))
  return latencies
}

let addresses = 0

/** The next of the loopback addresses from 127.1.0.1 on. */
function nextAddress(): string {
  addresses++
  return `127.${1 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Opens connections and keeps them busy for the given time. */
export async function runLoad({ port, connections, seconds, next, hasOwnAddresses = false }: Load): Promise<Sample> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => HttpConnection.open(port, hasOwnAddresses ? nextAddress() : undefined)),
  )
  const start = performance.now()
  try {
    const latencies = await keepBusy(open, next, seconds * 1000)
    const elapsed = (performance.now() - start) / 1000
    return { perSecond: latencies.length / elapsed, p99: percentile(latencies, 0.99) }
  } finally {
    for (const connection of open) connection.close()
  }
}
