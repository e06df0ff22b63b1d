// Every time that is stored or shown comes from here, in one text form that sorts in time order on both engines and on the wire.
import { AsyncLocalStorage } from 'node:async_hooks'

declare const brand: unique symbol

/** Fixed-width UTC ISO 8601 with microseconds: `2026-11-20T22:49:43.018032Z`. Sorting by text sorts by time. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' }

export interface Clock {
  /**
   * Returns the time of the wall clock. It is later than the last one returned, unless the clock was set back meanwhile. Tokens, codes,
   * limits and everything else that expires use it. For a tenant whose clock was moved ahead, it is that clock's time.
   */
  now(): Timestamp
  /**
   * Returns the time for a row that is created. Each is later than all before it, even after the clock was set back, because lists are
   * ordered by it and use it as their cursor. It is the time of the machine for every tenant.
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

// The clock of a tenant in test mode can run ahead. Whatever is done for such a tenant runs within `aheadBy`, and the clock then returns the
// tenant's time; everything else keeps the time of the machine. As long as no clock was moved, nothing is looked up.

const moves = new AsyncLocalStorage<number>()
/** Whether this process has ever worked for a tenant whose clock is ahead. */
let wasMoved = false

/** Returns by how many milliseconds the clock is ahead of the machine's for what runs now; 0 for almost everything. */
export const msAhead = (): number => (wasMoved ? (moves.getStore() ?? 0) : 0)

/** Runs something for which the clock is this many milliseconds ahead; 0 is the time of the machine, also within another call. */
export function aheadBy<T>(ms: number, run: () => T): T {
  if (ms === msAhead()) return run()
  wasMoved = true
  return moves.run(ms, run)
}

/** Runs something by the time of the machine: what talks to others, who know no other time, or what all tenants share. */
export const atMachineTime = <T>(run: () => T): T => aheadBy(0, run)

/** Returns the function so that it runs at the time of now, whoever calls it later: a queue's consumer works for several tenants in turn. */
export function keepingTime<Inputs extends unknown[], T>(run: (...inputs: Inputs) => T): (...inputs: Inputs) => T {
  if (!wasMoved) return run
  const ms = msAhead()
  return (...inputs) => aheadBy(ms, () => run(...inputs))
}

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
    now() {
      const ms = msAhead()
      return ms === 0 ? now() : addMilliseconds(now(), ms)
    },
    next() {
      const time = now()
      if (time > lastOfRows) rows.follow(wall)
      const next = time > lastOfRows ? time : rows.step()
      lastOfRows = next
      return next
    },
    nowMs() {
      const ms = Math.floor(source())
      return (ms < wall.ms && ms >= wall.ms - aheadMsMax ? wall.ms : ms) + msAhead()
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

/** Returns the time of the machine, for limits that tenants share or must not get round. */
export const machineTime = (clock: Pick<Clock, 'now'>): Timestamp => machineTimeAt(clock.now())

/** Returns the time of the machine in milliseconds since 1970, for what others compare with their own clocks. */
export const machineMs = (clock: Pick<Clock, 'nowMs'>): number => clock.nowMs() - msAhead()

/** Returns the time of the machine at which the clock of what runs now shows this time. */
export const machineTimeAt = (timestamp: Timestamp): Timestamp => {
  const ms = msAhead()
  return ms === 0 ? timestamp : addMilliseconds(timestamp, -ms)
}
