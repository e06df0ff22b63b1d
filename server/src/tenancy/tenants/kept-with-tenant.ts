// Values of a tenant that are looked up by name and kept in memory with the tenant's entry. A change of what they are read from has to
// invalidate the tenant: its next entry has none of them.
import type { Reader } from '../../platform/db/database.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from './tenant-entry.ts'

/** What a value takes beside its content. */
const besideBytes = 300
/** A tenant with more than some thousand applications in use reads some of them again, and takes no memory from all others. */
const bytesOfTenantMax = 4 * 1024 * 1024

/** The values of one tenant, by name. They are plain data, whose size is that of their JSON. */
export class KeptValues {
  readonly #values = new Map<string, object>()
  readonly #onMore: () => void
  #bytes = 0

  /** @param onMore called when there is one more. */
  constructor(onMore: () => void = () => undefined) {
    this.#onMore = onMore
  }

  /** How much memory they take, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  get<Value extends object>(name: string): Value | undefined {
    return this.#values.get(name) as Value | undefined
  }

  set(name: string, value: object) {
    this.#drop(name)
    this.#values.set(name, value)
    this.#bytes += measure(value)
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= bytesOfTenantMax) break
      this.#drop(oldest)
    }
    this.#onMore()
  }

  #drop(name: string) {
    const value = this.#values.get(name)
    if (value === undefined) return
    this.#values.delete(name)
    this.#bytes -= measure(value)
  }
}

const measure = (value: object) => besideBytes + JSON.stringify(value).length

type Read<Value> = (db: Reader, tenantId: TenantId, name: string) => Promise<Value | undefined>

/**
 * Returns `read` with a memory for what it finds.
 * @param kind tells values of different kinds with the same name apart.
 */
export const keptWithTenant =
  <Value extends object>(kind: string, read: Read<Value>) =>
  async (db: Reader, tenant: TenantEntry, name: string): Promise<Value | undefined> => {
    const key = `${kind} ${name}`
    const known = tenant.kept.get<Value>(key)
    if (known !== undefined) return known
    const found = await read(db, tenant.row.id, name)
    if (found !== undefined) tenant.kept.set(key, found)
    return found
  }

/**
 * Returns `read` with a memory for its one value of each entry of a tenant. A change of what it reads has to invalidate the tenant, whose
 * entry is another one then. What fails is read again.
 */
export function onceForEntry<Deps, Value>(read: (deps: Deps, entry: TenantEntry) => Promise<Value>) {
  const known = new WeakMap<TenantEntry, Promise<Value>>()
  return (deps: Deps, entry: TenantEntry): Promise<Value> => {
    let value = known.get(entry)
    if (value === undefined) {
      value = read(deps, entry)
      known.set(entry, value)
      value.catch(() => known.delete(entry))
    }
    return value
  }
}
