// A request that names an Idempotency-Key takes the key in the transaction of its effect, as its first statement: should
// another request with the key be faster, this one's effect is undone by the constraint, on whatever node they are.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../db/database.ts'
import type { Statement } from '../db/sql.ts'

/** A key being taken by a request that is under way. */
export interface Claim {
  readonly statement: Statement
  /** `taking` while a transaction that would take it runs; the request's further ones leave it alone. */
  state: 'open' | 'taking' | 'taken'
}

const claims = new AsyncLocalStorage<Claim>()

/** Runs an operation whose first transaction takes the key. */
export const withClaim = <T>(claim: Claim, operation: () => T): T => claims.run(claim, operation)

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

/** The database as the operations of requests see it. */
export function claimingDatabase(db: Database): Database {
  return {
    engine: db.engine,
    all: (statement) => db.all(statement),
    first: (statement) => db.first(statement),
    transaction(body) {
      const claim = claims.getStore()
      if (claim?.state !== 'open') return db.transaction(body)
      return taking(claim, () =>
        db.transaction(async (tx) => {
          await tx.run(claim.statement)
          return body(tx)
        }),
      )
    },
    write(build, options) {
      const claim = claims.getStore()
      if (claim?.state !== 'open') return db.write(build, options)
      // In one statement with the rest, PostgreSQL might refuse something else of it first.
      return taking(claim, () =>
        db.transaction(async (tx) => {
          await tx.run(claim.statement)
          return tx.runAll(build(tx))
        }),
      )
    },
    check: () => db.check(),
    close: () => db.close(),
  }
}
