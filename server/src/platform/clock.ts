// Every time that is stored or shown comes from here: one text form that sorts as it reads, on both engines and on the wire.

declare const brand: unique symbol

/** Fixed-width UTC ISO 8601 with microseconds: `2026-11-20T22:49:43.018032Z`. Its order as text is its order in time. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' }

export interface Clock {
  /**
   * Returns the time of the wall clock, later than the last time it returned unless the clock was set back meanwhile. Tokens, codes,
   * limits and whatever expires go by it.
   */
  now(): Timestamp
  /**
   * Returns the time at which a row is created. Every one is later than all before, also after the clock was set back: rows of a list are
   * ordered by it, and it is their cursor.
   */
  next(): Timestamp
  /** Returns the time of the wall clock in milliseconds since 1970, not before the last `now` unless the clock was set back. */
  nowMs(): number
}

/**
 * How far the clocks of two nodes may be apart. What ends later than it could by a clock within this was dated by one that has been set
 * back since, and does not count.
 */
export const clockSkewMsMax = 5 * 60_000

const microsecondsPerMs = 1000
/** Below this a new millisecond starts, at random, so that two nodes rarely make the same timestamp. */
const startBelow = 500
/** A clock that many timestamps were asked of runs ahead of its source by a few milliseconds; what is more was set back. */
const aheadMsMax = 50
const tails = Array.from({ length: microsecondsPerMs }, (_, index) => `${String(index).padStart(3, '0')}Z`)
const millisecondsLength = '2026-11-20T22:49:43.018'.length

/** The text up to the milliseconds. A year that four digits cannot hold would break the order of texts. */
function prefixOf(ms: number): string {
  const text = new Date(ms).toISOString()
  if (text.length !== millisecondsLength + 1) throw new RangeError('the time is outside the years 0000 to 9999')
  return text.slice(0, millisecondsLength)
}

/** A millisecond and how many of its microseconds are used up. */
class Ticker {
  ms = -Infinity
  #microseconds = 0
  #prefix = ''

  startAt(ms: number): Timestamp {
    this.#prefix = prefixOf(ms)
    this.ms = ms
    this.#microseconds = Math.floor(Math.random() * startBelow)
    return this.#text()
  }

  /** One microsecond further. */
  step(): Timestamp {
    if (++this.#microseconds === microsecondsPerMs) {
      this.#prefix = prefixOf(this.ms + 1)
      this.ms++
      this.#microseconds = 0
    }
    return this.#text()
  }

  /** Takes over the place of another. */
  follow(other: Ticker): void {
    this.ms = other.ms
    this.#microseconds = other.#microseconds
    this.#prefix = other.#prefix
  }

  #text(): Timestamp {
    return (this.#prefix + tails[this.#microseconds]) as Timestamp
  }
}

/** @param source milliseconds since 1970; it may stand still or jump. */
export function createClock(source: () => number = Date.now): Clock {
  const wall = new Ticker()
  const rows = new Ticker()
  let lastOfRows = ''

  const now = () => {
    const ms = Math.floor(source())
    return ms > wall.ms || ms < wall.ms - aheadMsMax ? wall.startAt(ms) : wall.step()
  }
  return {
    now,
    next() {
      const time = now()
      if (time > lastOfRows) rows.follow(wall)
      const next = time > lastOfRows ? time : rows.step()
      lastOfRows = next
      return next
    },
    nowMs() {
      const ms = Math.floor(source())
      return ms < wall.ms && ms >= wall.ms - aheadMsMax ? wall.ms : ms
    },
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
