// Every time that is stored or shown comes from here, in one text form that sorts in time order on both engines and on the wire.

declare const brand: unique symbol

/** Fixed-width UTC ISO 8601 with microseconds: `2026-11-20T22:49:43.018032Z`. Sorting by text sorts by time. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' }

export interface Clock {
  /**
   * Returns the time of the wall clock. It is later than the last one returned, unless the clock was set back meanwhile. Tokens, codes,
   * limits and everything else that expires use it.
   */
  now(): Timestamp
  /**
   * Returns the time for a row that is created. Each is later than all before it, even after the clock was set back, because lists are
   * ordered by it and use it as their cursor.
   */
  next(): Timestamp
  /** Returns the time of the wall clock in milliseconds since 1970, not before the last `now` unless the clock was set back. */
  nowMs(): number
}

/**
 * How far apart the clocks of two nodes may be. A stored time that is further in the future than this allows was written before the clock
 * was set back, and is ignored.
 */
export const clockSkewMsMax = 5 * 60_000

const microsecondsPerMs = 1000
/** A new millisecond starts at a random microsecond below this, so that two nodes rarely make the same timestamp. */
const startBelow = 500
/**
 * A clock that is asked for many timestamps runs ahead of its source by a few milliseconds. A larger lead means that the source was set
 * back.
 */
const aheadMsMax = 50
const tails = Array.from({ length: microsecondsPerMs }, (_, index) => `${String(index).padStart(3, '0')}Z`)
const millisecondsLength = '2026-11-20T22:49:43.018'.length

/** Returns the text up to the milliseconds. A year that does not fit in four digits would break the text order. */
function prefixOf(ms: number): string {
  const text = new Date(ms).toISOString()
  if (text.length !== millisecondsLength + 1) throw new RangeError('the time is outside the years 0000 to 9999')
  return text.slice(0, millisecondsLength)
}

/** Keeps a millisecond and how many of its microseconds are used up. */
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

  /** Advances by one microsecond. */
  step(): Timestamp {
    if (++this.#microseconds === microsecondsPerMs) {
      this.#prefix = prefixOf(this.ms + 1)
      this.ms++
      this.#microseconds = 0
    }
    return this.#text()
  }

  /** Continues from where another ticker is. */
  follow(other: Ticker): void {
    this.ms = other.ms
    this.#microseconds = other.#microseconds
    this.#prefix = other.#prefix
  }

  #text(): Timestamp {
    return (this.#prefix + tails[this.#microseconds]) as Timestamp
  }
}

/** @param source returns milliseconds since 1970; it may stand still or jump. */
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

/** Returns milliseconds since 1970, without the microseconds. */
export const toMs = (timestamp: Timestamp): number => Date.parse(timestamp)

/**
 * Returns the timestamp moved by this many milliseconds; its microseconds stay.
 * @throws RangeError outside the years 0000 to 9999.
 */
export const addMilliseconds = (timestamp: Timestamp, ms: number): Timestamp =>
  (prefixOf(toMs(timestamp) + ms) + timestamp.slice(millisecondsLength)) as Timestamp
