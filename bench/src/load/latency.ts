// The latencies of servers that are compared. They are called in turns so short that other work of the machine affects all alike, and
// only after each has answered for a while, because code that is being compiled slows down the other servers.
import { HttpConnection } from './http-connection.ts'
import { keepBusy, percentile } from './load.ts'

export interface Asked {
  readonly port: number
  /** Returns the bytes of the next request. */
  readonly next: () => Buffer
}

export interface LatencyPace {
  readonly rounds: number
  /** The settings for each server. */
  readonly secondsPerRound: number
  readonly warmUpSeconds: number
}

/** Few, so that a latency shows the time of the answer rather than that of the queue before it. */
const connectionCount = 4
const turnMs = 100

/**
 * Returns the milliseconds within which 99 of 100 answers came, for each server in each round.
 * @throws Error if any answer is not 200.
 */
export async function p99sInTurns(
  asked: readonly Asked[],
  { rounds, secondsPerRound, warmUpSeconds }: LatencyPace,
): Promise<number[][]> {
  const open: HttpConnection[][] = []
  const p99s: number[][] = asked.map(() => [])
  try {
    for (const { port } of asked) {
      open.push(await Promise.all(Array.from({ length: connectionCount }, () => HttpConnection.open(port))))
    }
    for (let round = -1; round < rounds; round++) {
      const turns = Math.max(1, Math.round(((round < 0 ? warmUpSeconds : secondsPerRound) * 1000) / turnMs))
      const latencies: number[][] = asked.map(() => [])
      for (let count = 0; count < turns; count++) {
        for (const [index, { next }] of asked.entries()) {
          latencies[index]?.push(...(await keepBusy(open[index] ?? [], next, turnMs)))
        }
      }
      if (round >= 0) for (const [index, each] of latencies.entries()) p99s[index]?.push(percentile(each, 0.99))
    }
  } finally {
    for (const connection of open.flat()) connection.close()
  }
  return p99s
}
