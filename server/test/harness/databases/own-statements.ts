// A service in which a transaction that awaits anything but its own statements fails. On PostgreSQL such a transaction waits for a second
// connection while it holds locks, and under load all connections wait for each other.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deps } from '../../../src/identity/deps.ts'
import type { Transaction } from '../../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../../src/platform/db/open.ts'

const inTransaction = new AsyncLocalStorage<true>()
type Method = (...given: unknown[]) => unknown

/** Returns the same object, of which these methods fail within a transaction. */
function refusing<T extends object>(target: T, names: readonly (keyof T & string)[]): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        if (inTransaction.getStore() === true && names.includes(name as never)) {
          throw new Error(`a transaction has called ${String(name)}, which is none of its own statements`)
        }
        return (value as Method).apply(object, given)
      }
    },
  })
}

export function ownStatementsOnly({ db, tenants }: Deps): Pick<Deps, 'db' | 'tenants'> {
  const refused = refusing(db as OpenDatabase, ['all', 'first', 'write', 'transaction'])
  const transaction = <T>(body: (tx: Transaction) => Promise<T>) =>
    refused.transaction((tx) => inTransaction.run(true, () => body(tx)))
  const strict = new Proxy(refused, {
    get: (object, name) => (name === 'transaction' ? transaction : Reflect.get(object, name, object)),
  })
  // What the directory has in memory, another node may have made it forget.
  return { db: strict, tenants: refusing(tenants, ['byId', 'bySlugKey']) }
}
