// Waiting tasks, served one owner after the other, so that nobody waits for all that another has asked for.

export class FairQueue<T> {
  readonly #byOwner = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.length ?? 0
  }

  /** What `shift` would give. */
  peek(): T | undefined {
    for (const [item] of this.#byOwner.values()) return item
    return undefined
  }

  push(owner: string, item: T): void {
    const items = this.#byOwner.get(owner)
    if (items === undefined) this.#byOwner.set(owner, [item])
    else items.push(item)
    this.#size++
  }

  /** @param mayBeServed whose turn may come now; others keep their place. */
  shift(mayBeServed: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, items] of this.#byOwner) {
      if (!mayBeServed(owner)) continue
      const item = items.shift()
      // To the end of the line: a Map keeps the order of insertion.
      this.#byOwner.delete(owner)
      if (items.length > 0) this.#byOwner.set(owner, items)
      this.#size--
      return item
    }
    return undefined
  }
}
