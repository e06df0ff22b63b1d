// How long answers take, of servers that are compared: they are asked in turns so short that whatever else the machine does
// meets all of them alike, and only once each has answered for a while, for code that is still being compiled is another's.
import { HttpConnection } from './http-connection.ts'
import { keepBusy, percentile } from './load.ts'

export interface Asked {
  readonly port: number
  /** The bytes of the next request. */
  readonly next: () => Buffer
}

export interface LatencyPace {
  readonly rounds: number
  /** Of each server. */
  readonly secondsPerRound: number
  readonly warmUpSeconds: number
}

/** Few, so that a latency tells more of the answer than of the queue before it. */
const connectionCount = 4
const turnMs = 100

/**
 * The milliseconds that 99 of 100 answers are within, of each server in each round.
 * @throws Error when any answer is not 200.
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
