// The faults that happen while the callers send requests: the service, PostgreSQL or connections end.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrivatePostgres } from '../../../scripts/private-postgres.ts'
import { type Store, onPostgresql } from '../data/store.ts'
import { type BailiwickServer, type BailiwickOptions, startBailiwick } from '../servers/bailiwick.ts'

const pausedMs = 2000

/** The service, which faults stop and start again. */
export class SoakedService {
  readonly #store: Store
  readonly #options: BailiwickOptions
  #server: BailiwickServer

  private constructor(store: Store, options: BailiwickOptions, server: BailiwickServer) {
    this.#store = store
    this.#options = options
    this.#server = server
  }

  static async start(store: Store, options: BailiwickOptions): Promise<SoakedService> {
    return new SoakedService(store, options, await startBailiwick(store, options))
  }

  get port(): number {
    return this.#server.port
  }

  get pid(): number {
    return this.#server.child.pid ?? 0
  }

  /** Stops it, by a kill or as an operator does, and starts it again. */
  async restart(how: 'SIGKILL' | 'SIGTERM') {
    if (how === 'SIGTERM') await this.#server.stop()
    else {
      const ended = once(this.#server.child, 'exit')
      this.#server.child.kill('SIGKILL')
      await ended
    }
    this.#server = await startBailiwick(this.#store, this.#options)
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

export interface Fault {
  readonly name: string
  /** Whether the same process of the service continues afterwards. */
  readonly keepsService: boolean
  happen(): Promise<void>
}

/** @param postgres the server of the store's database; undefined on SQLite. */
export function createFaults(
  service: SoakedService,
  { databaseUrl }: Store,
  postgres: PrivatePostgres | undefined,
): Fault[] {
  const ofService: Fault[] = [
    { name: 'kill -9 of the service', keepsService: false, happen: () => service.restart('SIGKILL') },
    { name: 'a restart of the service', keepsService: false, happen: () => service.restart('SIGTERM') },
  ]
  if (postgres === undefined || databaseUrl === undefined) return ofService
  return [
    ...ofService,
    {
      name: 'a crash of PostgreSQL',
      keepsService: true,
      async happen() {
        await postgres.kill()
        await postgres.restart()
      },
    },
    {
      name: 'a pause of PostgreSQL',
      keepsService: true,
      async happen() {
        postgres.pause()
        await sleep(pausedMs)
        postgres.resume()
      },
    },
    {
      name: 'the end of every connection to PostgreSQL',
      keepsService: true,
      async happen() {
        await onPostgresql(databaseUrl, (client) =>
          client.query(
            'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
          ),
        )
      },
    },
  ]
}
