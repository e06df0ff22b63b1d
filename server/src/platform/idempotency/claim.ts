// A request with an Idempotency-Key takes the key as the first statement of the transaction that has its effect. If another request with
// the same key is faster, on any node, the constraint rolls this one's effect back.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Database, NothingChanged } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'

/** A key that a running request is about to take. */
export interface Claim {
  readonly statement: Statement
  /** `taking` while a transaction that takes the key runs; the request's other transactions ignore it. */
  state: 'open' | 'taking' | 'taken'
}

const claims = new AsyncLocalStorage<Claim>()

/** Runs an operation whose first transaction takes the key. */
export const withClaim = <T>(claim: Claim, operation: () => T): T => claims.run(claim, operation)

/** Runs a write that is made whether or not the operation succeeds, and so must not take the key. */
export const withoutClaim = <T>(write: () => T): T => claims.exit(write)

async function taking<T>(claim: Claim, write: () => Promise<T>): Promise<T> {
  claim.state = 'taking'
  try {
    const value = await write()
    claim.state = 'taken'
    return value
  } finally {
    if (claim.state === 'taking') claim.state = 'open'
  }
}

/** Returns the database as the operations of requests use it. */
export function claimingDatabase(db: Database): Database {
  return {
    engine: db.engine,
    all: (statement) => db.all(statement),
    first: (statement) => db.first(statement),
    transaction(body, options) {
      const claim = claims.getStore()
      if (claim?.state !== 'open') return db.transaction(body, options)
      return taking(claim, () =>
        db.transaction(async (tx) => {
          await tx.run(claim.statement)
          return body(tx)
        }, options),
      )
    },
    write(build, options) {
      const claim = claims.getStore()
      if (claim?.state !== 'open') return db.write(build, options)
      // A separate statement, because in a combined one PostgreSQL might report another constraint first.
      return taking(claim, () =>
        db.transaction(async (tx) => {
          await tx.run(claim.statement)
          const changed = await tx.runAll(build(tx))
          if (options?.mustChange === true && changed === 0) throw new NothingChanged()
          return changed
        }),
      )
    },
    snapshot: (read) => db.snapshot(read),
    check: () => db.check(),
    close: () => db.close(),
  }
}
