// Every time that is stored or shown comes from here: one text form that sorts as it reads, on both engines and on the wire.

declare const brand: unique symbol

/** Fixed-width UTC ISO 8601 with microseconds: `2026-11-20T22:49:43.018032Z`. Its order as text is its order in time. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' }

export interface Clock {
  /** The time now, later than every timestamp this clock has made before. */
  now(): Timestamp
  /** Milliseconds since 1970, never before the millisecond of the last timestamp. */
  nowMs(): number
}

const microsecondsPerMs = 1000
/** Below this a new millisecond starts, at random, so that two nodes rarely make the same timestamp. */
const startBelow = 500
const tails = Array.from({ length: microsecondsPerMs }, (_, index) => `${String(index).padStart(3, '0')}Z`)
const millisecondsLength = '2026-11-20T22:49:43.018'.length

/** The text up to the milliseconds. A year that four digits cannot hold would break the order of texts. */
function prefixOf(ms: number): string {
  const text = new Date(ms).toISOString()
  if (text.length !== millisecondsLength + 1) throw new RangeError('the time is outside the years 0000 to 9999')
  return text.slice(0, millisecondsLength)
}

/** @param source milliseconds since 1970; it may stand still or jump, the clock's timestamps only ever advance. */
export function createClock(source: () => number = Date.now): Clock {
  let lastMs = -Infinity
  let microseconds = 0
  let prefix = ''

  return {
    now() {
      const ms = Math.floor(source())
      if (ms > lastMs) {
        prefix = prefixOf(ms)
        lastMs = ms
        microseconds = Math.floor(Math.random() * startBelow)
      } else if (++microseconds === microsecondsPerMs) {
        prefix = prefixOf(lastMs + 1)
        lastMs++
        microseconds = 0
      }
      return (prefix + tails[microseconds]) as Timestamp
    },
    nowMs: () => Math.max(lastMs, Math.floor(source())),
  }
}

/** @throws RangeError outside the years 0000 to 9999. */
export const fromMs = (ms: number): Timestamp => `${prefixOf(ms)}000Z` as Timestamp

/** Milliseconds since 1970; the microseconds are cut off. */
export const toMs = (timestamp: Timestamp): number => Date.parse(timestamp)

/**
 * The same microsecond of another millisecond.
 * @throws RangeError outside the years 0000 to 9999.
 */
export const addMilliseconds = (timestamp: Timestamp, ms: number): Timestamp =>
  (prefixOf(toMs(timestamp) + ms) + timestamp.slice(millisecondsLength)) as Timestamp
