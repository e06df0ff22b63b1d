// A database whose n-th statement fails, for tests of checks that fail with an error; or which becomes unreachable at it.
import { DatabaseUnavailable, type Transaction } from '../../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../../src/platform/db/open.ts'

export class FailingDatabase {
  readonly database: OpenDatabase
  #statements = 0
  #failsAt = Infinity
  #goesAwayAt = Infinity

  constructor(real: OpenDatabase) {
    this.database = this.#intercept(real, {
      all: (...given: Parameters<OpenDatabase['all']>) => this.#counted(() => real.all(...given)),
      first: (...given: Parameters<OpenDatabase['first']>) => this.#counted(() => real.first(...given)),
      write: (...given: Parameters<OpenDatabase['write']>) => this.#counted(() => real.write(...given)),
      transaction: <T>(body: (tx: Transaction) => Promise<T>) => real.transaction((tx) => body(this.#transaction(tx))),
    })
  }

  /** Runs `action` with its n-th statement failing; returns how many statements it ran. */
  async failingAt(n: number, action: () => Promise<unknown>): Promise<number> {
    this.#statements = 0
    this.#failsAt = n
    try {
      await action()
      return this.#statements
    } finally {
      this.#failsAt = Infinity
    }
  }

  /** Runs `action` without a database from its n-th statement on; returns how many statements it ran. */
  async goneFrom(n: number, action: () => Promise<unknown>): Promise<number> {
    this.#statements = 0
    this.#goesAwayAt = n
    try {
      await action()
      return this.#statements
    } finally {
      this.#goesAwayAt = Infinity
    }
  }

  #transaction(tx: Transaction): Transaction {
    return this.#intercept(tx, {
      all: (...given: Parameters<Transaction['all']>) => this.#counted(() => tx.all(...given)),
      first: (...given: Parameters<Transaction['first']>) => this.#counted(() => tx.first(...given)),
      run: (...given: Parameters<Transaction['run']>) => this.#counted(() => tx.run(...given)),
      runAll: (...given: Parameters<Transaction['runAll']>) => this.#counted(() => tx.runAll(...given)),
      runLast: (...given: Parameters<Transaction['runLast']>) => {
        const problem = this.#nextProblem()
        if (problem !== undefined) throw problem
        tx.runLast(...given)
      },
    })
  }

  #counted<T>(statement: () => Promise<T>): Promise<T> {
    const problem = this.#nextProblem()
    return problem === undefined ? statement() : Promise.reject(problem)
  }

  #nextProblem(): Error | undefined {
    const n = ++this.#statements
    if (n === this.#failsAt) return new Error(`statement ${n} fails`)
    return n >= this.#goesAwayAt ? new DatabaseUnavailable('the connection was lost') : undefined
  }

  #intercept<T extends object>(target: T, methods: Partial<T>): T {
    return new Proxy(target, {
      get: (_target, name) => {
        const own: unknown = Reflect.get(methods, name)
        if (own !== undefined) return own
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }
}
