// A queue that serves owners in turn, so that no owner waits for all tasks of another.

export class FairQueue<T> {
  readonly #byOwner = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.length ?? 0
  }

  /** Returns what `shift` would, without removing it. */
  peek(mayBeServed: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, [item]] of this.#byOwner) if (mayBeServed(owner)) return item
    return undefined
  }

  push(owner: string, item: T): void {
    const items = this.#byOwner.get(owner)
    if (items === undefined) this.#byOwner.set(owner, [item])
    else items.push(item)
    this.#size++
  }

  /** @param mayBeServed whether an owner may be served now; others keep their place. */
  shift(mayBeServed: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, items] of this.#byOwner) {
      if (!mayBeServed(owner)) continue
      const item = items.shift()
      // Moves the owner to the end, because a Map keeps insertion order.
      this.#byOwner.delete(owner)
      if (items.length > 0) this.#byOwner.set(owner, items)
      this.#size--
      return item
    }
    return undefined
  }
}
