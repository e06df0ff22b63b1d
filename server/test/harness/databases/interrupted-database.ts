// A database that runs something else just before the next write, i.e. after everything that a request has looked up for it.
import { after, before } from 'node:test'
import type { Transaction } from '../../../src/platform/db/database.ts'
import type { OpenDatabase } from '../../../src/platform/db/open.ts'
import { type TestService, startTestService } from '../service.ts'
import { describeOnEachEngine } from './databases.ts'

type Interruption = () => Promise<unknown>

class InterruptedDatabase {
  readonly database: OpenDatabase
  #next: Interruption | undefined

  constructor(real: OpenDatabase) {
    const methods: Partial<OpenDatabase> = {
      write: async (...given: Parameters<OpenDatabase['write']>) => {
        await this.#interrupt()
        return real.write(...given)
      },
      transaction: async <T>(body: (tx: Transaction) => Promise<T>) => {
        await this.#interrupt()
        return real.transaction(body)
      },
    }
    this.database = new Proxy(real, {
      get: (_target, name) => {
        const own: unknown = Reflect.get(methods, name)
        if (own !== undefined) return own
        const value: unknown = Reflect.get(real, name)
        return typeof value === 'function' ? (value.bind(real) as unknown) : value
      },
    })
  }

  /** It happens once: its own writes are not interrupted again. */
  beforeNextWrite(interruption: Interruption) {
    this.#next = interruption
  }

  async #interrupt() {
    const next = this.#next
    this.#next = undefined
    await next?.()
  }
}

/**
 * Defines tests of a service on such a database, on each engine.
 * @param define receives a function that returns the service, and one that takes what is to happen before its next write.
 */
export function describeInterrupted(
  title: string,
  define: (service: () => TestService, beforeNextWrite: (interruption: Interruption) => void) => void,
): void {
  describeOnEachEngine(title, (open) => {
    let interrupted: InterruptedDatabase
    let service: TestService
    before(async () => {
      interrupted = new InterruptedDatabase((await open()).database)
      service = await startTestService(interrupted.database)
    })
    after(() => service.app.close())
    define(
      () => service,
      (interruption) => interrupted.beforeNextWrite(interruption),
    )
  })
}
