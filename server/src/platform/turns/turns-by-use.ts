// Waiting tasks of many owners. The next turn goes to the owner with the least recent use, so that owners with expensive tasks delay nobody
// else.

/** How much each owner has used recently; it is forgiven at a steady rate. */
export class RecentUse {
  readonly #forgivenPerMs: number
  readonly #useMax: number
  readonly #now: () => number
  readonly #byOwner = new Map<string, { readonly use: number; readonly at: number }>()
  #sweptAt = 0

  constructor(settings: { readonly forgivenPerMs: number; readonly useMax: number; readonly now: () => number }) {
    this.#forgivenPerMs = settings.forgivenPerMs
    this.#useMax = settings.useMax
    this.#now = settings.now
  }

  of(owner: string): number {
    const known = this.#byOwner.get(owner)
    return known === undefined ? 0 : Math.max(0, known.use - (this.#now() - known.at) * this.#forgivenPerMs)
  }

  add(owner: string, use: number): void {
    this.#byOwner.set(owner, { use: Math.min(this.of(owner) + use, this.#useMax), at: this.#now() })
    this.#sweep()
  }

  /** Removes owners whose use is forgiven completely, now and then. */
  #sweep(): void {
    if (this.#now() - this.#sweptAt < this.#useMax / this.#forgivenPerMs) return
    this.#sweptAt = this.#now()
    for (const owner of this.#byOwner.keys()) if (this.of(owner) === 0) this.#byOwner.delete(owner)
  }
}

export class TurnsByUse<Task> {
  readonly #byOwner = new Map<string, Task[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: string): number {
    return this.#byOwner.get(owner)?.length ?? 0
  }

  push(owner: string, task: Task): void {
    const tasks = this.#byOwner.get(owner)
    if (tasks === undefined) this.#byOwner.set(owner, [task])
    else tasks.push(task)
    this.#size++
  }

  /** Returns the oldest task of the owner with the least use among those who may go on; between equals, the one who has waited longest. */
  take(useOf: (owner: string) => number, mayGoOn: (owner: string) => boolean): Task | undefined {
    let [first, least] = ['', Number.POSITIVE_INFINITY]
    for (const owner of this.#byOwner.keys()) {
      const use = useOf(owner)
      if (use < least && mayGoOn(owner)) [first, least] = [owner, use]
    }
    return this.#remove(first, (tasks) => tasks.shift())
  }

  /** Removes and returns the newest task of an owner. */
  drop(owner: string): Task | undefined {
    return this.#remove(owner, (tasks) => tasks.pop())
  }

  dropAll(): Task[] {
    const all = [...this.#byOwner.values()].flat()
    this.#byOwner.clear()
    this.#size = 0
    return all
  }

  #remove(owner: string, how: (tasks: Task[]) => Task | undefined): Task | undefined {
    const tasks = this.#byOwner.get(owner)
    if (tasks === undefined) return undefined
    const task = how(tasks)
    this.#size--
    // Moves the owner to the end, because a Map keeps insertion order.
    this.#byOwner.delete(owner)
    if (tasks.length > 0) this.#byOwner.set(owner, tasks)
    return task
  }
}
