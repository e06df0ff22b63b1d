// Many clients at once. One that is told to come back does, because a busy machine may let requests wait for a lock or a connection longer
// than the service allows.
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

/** Returns the answers to `count` requests that are sent without waiting for each other. */
export const atOnce = <Body>(count: number, call: (n: number) => Promise<Answer<Body>>): Promise<Answer<Body>[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => persistent(() => call(n))))

/**
 * Begins an operation below the interface `count` times at once, and returns the outcomes: each is a transaction's result, or an error
 * after which nothing remains.
 */
export const workAtOnce = <Result>(count: number, work: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => persistentWork(() => work(n))))
