import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns the result of some work, or rejects if it takes longer.
 * @param work goes on in the latter case; what becomes of it does not matter any more.
 */
export async function withinTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const overdue = async () => {
    await sleep(ms, undefined, { signal: ended.signal, ref: false })
    throw new Error(`took longer than ${ms} ms`)
  }
  try {
    return await Promise.race([work, overdue()])
  } finally {
    ended.abort()
  }
}
