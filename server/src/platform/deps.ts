// What every wing is given. Each wing above adds its own in a `deps.ts` of its own, so that none sees what is above it. All of it is
// made once in service/main.ts and replaced piece by piece in tests.
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { CodeHasher } from './crypto/code-hash.ts'
import type { PasswordPool } from './crypto/password-pool.ts'
import type { PersonalSealer } from './crypto/personal.ts'
import type { Sealer } from './crypto/sealed.ts'
import type { Database } from './db/database.ts'
import type { Egress } from './net/egress.ts'

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly sealer: Sealer
  readonly personal: PersonalSealer
  readonly hashCode: CodeHasher
  readonly passwordPool: PasswordPool
  /** The only way to an address that a tenant or user has named. */
  readonly egress: Egress
  readonly log: Logger
}
