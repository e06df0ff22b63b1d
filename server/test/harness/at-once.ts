// Many clients at once. One that is told to come back does: a machine that is busy with other things may let requests wait
// for a lock or a connection longer than the service allows.
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../src/platform/db/database.ts'
import type { Answer } from './service.ts'

const comebacksMax = 50
const untilNext = () => sleep(100 + Math.random() * 400)

async function persistent<Body>(call: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (let comebacks = 0; ; comebacks++) {
    const answer = await call()
    if (answer.status !== 503 || comebacks === comebacksMax) return answer
    await untilNext()
  }
}

async function persistentWork<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let comebacks = 0; ; comebacks++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || comebacks === comebacksMax) throw error
    }
    await untilNext()
  }
}

/** The answers to `count` requests that are sent without waiting for one another. */
export const atOnce = <Body>(count: number, call: (n: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => persistent(() => call(n))))

/** What becomes of work below the interface that is begun `count` times at once: each is what a transaction does, or nothing of it. */
export const workAtOnce = <Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => persistentWork(() => work(n))))
