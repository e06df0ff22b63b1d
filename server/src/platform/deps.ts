// The dependencies of every wing. Each wing adds its own in its `deps.ts`, so that no wing sees those above it. service/main.ts makes them
// once; tests replace single ones.
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { CodeHasher } from './crypto/code-hash.ts'
import type { PasswordPool } from './crypto/password-pool.ts'
import type { PersonalSealer } from './crypto/personal.ts'
import type { Sealer } from './crypto/sealed.ts'
import type { Database } from './db/database.ts'
import type { Egress } from './net/egress.ts'
import type { Meter } from './telemetry/meter.ts'

export interface Deps {
  readonly config: Config
  readonly db: Database
  readonly clock: Clock
  readonly sealer: Sealer
  readonly personal: PersonalSealer
  readonly hashCode: CodeHasher
  readonly passwordPool: PasswordPool
  /** The only way to connect to an address that a tenant or user has named. */
  readonly egress: Egress
  readonly log: Logger
  /** Counts what happens, for the metrics. */
  readonly meter: Meter
}
