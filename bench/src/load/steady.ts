// Requests at a steady pace, whatever else happens in the meantime.
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpConnection } from './http-connection.ts'
import { type Sample, percentile } from './load.ts'
import type { Contestant } from './rounds.ts'

const connections = 8
/** A rate at which the service is busy but not saturated: the times of a saturated service only show the length of the queue. */
const pauseMs = 4

export const steady = (
  port: number,
  next: () => Buffer,
  meanwhile: (seconds: number) => Promise<void>,
): Contestant => ({
  async run(seconds): Promise<Sample> {
    const latencies: number[] = []
    const end = performance.now() + seconds * 1000
    const loop = async () => {
      const connection = await HttpConnection.open(port)
      for (let sentAt = performance.now(); sentAt < end; sentAt = performance.now()) {
        const { status } = await connection.send(next())
        if (status !== 200) throw new Error(`a request answered ${status}`)
        latencies.push(performance.now() - sentAt)
        await sleep(pauseMs)
      }
      connection.close()
    }
    await Promise.all([...Array.from({ length: connections }, loop), meanwhile(seconds)])
    return { perSecond: latencies.length / seconds, p99: percentile(latencies, 0.99) }
  },
})
