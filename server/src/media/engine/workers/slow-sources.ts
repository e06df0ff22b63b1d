/** How long a source is not tried again, and how many are remembered. */
const slowMs = 10 * 60_000
const sourcesMax = 1000

/**
 * The sources whose image took all the time that a worker gives to one. They are refused for some minutes, because other images of the same
 * source would most likely hold a worker as long.
 */
export class SlowSources {
  /** Until when, the oldest first. */
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  /** @param now in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  has(source: string): boolean {
    return (this.#until.get(source) ?? 0) > this.#now()
  }

  add(source: string): void {
    this.#until.delete(source)
    this.#until.set(source, this.#now() + slowMs)
    const [oldest] = this.#until.keys()
    if (this.#until.size > sourcesMax && oldest !== undefined) this.#until.delete(oldest)
  }
}
