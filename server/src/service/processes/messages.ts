// What the first process and those that answer requests tell each other.
import type { AllowedUses } from '../../platform/http/limits/shared-limits.ts'

/** To a process that was just started: its number, from 1 on. One that replaces another has the same. */
export interface Numbered {
  readonly type: 'numbered'
  readonly number: number
  /** Where the processes before it listen. */
  readonly port?: number
}

/** From a process that listens. */
export interface Ready {
  readonly type: 'ready'
  readonly url: string
}

/** From each process, by way of the first one, to all others. */
export interface Used {
  readonly type: 'used'
  readonly uses: AllowedUses
}
