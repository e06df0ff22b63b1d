// When a message that could not be sent is tried again: nine attempts within a day, the first ones soon, because somebody may be waiting
// for a code.
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delays before the second attempt, the third, and so on. */
const delaysMs = [5 * second, 20 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour]
const jitter = 0.2

/**
 * Returns the delay after that many failures, or undefined to give up. It has jitter, so that messages that failed together are not retried
 * together.
 */
export function messageRetryDelayMs(failures: number, random: () => number = Math.random): number | undefined {
  const delay = delaysMs[failures - 1]
  return delay === undefined ? undefined : Math.round(delay * (1 + random() * jitter))
}
