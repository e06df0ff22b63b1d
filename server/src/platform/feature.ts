// What one folder adds to the service, as one value. `service/features.ts` lists these values; nothing else has to know a feature.
import type { TenantAuthSettings } from '@bailiwick/contract'
import type { Reader } from './db/database.ts'
import type { Statement } from './db/sql.ts'
import type { TableFacts } from './db/table.ts'
import type { Actor } from './http/credentials/principal.ts'
import type { Management } from './http/management-steps.ts'
import type { TenantId } from './ids.ts'
import type { JobHandlers } from './jobs/jobs.ts'
import type { LoopOptions } from './jobs/loop.ts'

/** A tenant that is about to be created. */
export interface Founding {
  readonly tenantId: TenantId
  /** The domain that it starts with, unverified. */
  readonly domain: string | undefined
  readonly actor: Actor
  /** Undefined while the console's own tenant is created. */
  readonly consoleTenantId: TenantId | undefined
}

/** What a feature gives a new tenant, written in the transaction that creates the tenant. */
export interface TenantDefaults {
  readonly statements: readonly Statement[]
  /** What the rows add to the tenant's counters. */
  readonly counts: Readonly<Record<string, number>>
  /** Settings of the tenant that refer to the rows. */
  readonly settings?: Partial<TenantAuthSettings>
}

/** Work that is repeated beside the requests. */
export type FeatureLoop = Omit<LoopOptions, 'log'>

/**
 * @typeParam Deps what its operations need
 * @typeParam Context what its routes need from wings above
 */
export interface Feature<Deps, Context = unknown> {
  /** The folder, such as `tenancy/roles`. */
  readonly name: string
  /** Its tables with rows of tenants. A table comes after those that it refers to, in this list and in that of the features. */
  readonly tables?: readonly TableFacts[]
  /** Its tables without data of a tenant. */
  readonly sharedTables?: readonly TableFacts[]
  /** Binds its operations of the management interface. */
  readonly management?: (management: Management, deps: Deps, context: Context) => void
  /** Returns the handlers of its jobs, by kind. */
  readonly jobs?: (deps: Deps) => JobHandlers
  /**
   * Returns its repeated work.
   * @param wakeJobs makes this node look for new jobs at once.
   */
  readonly loops?: (deps: Deps, wakeJobs: () => void) => readonly FeatureLoop[]
  /** Runs once before this node takes jobs. */
  readonly beforeJobs?: (deps: Deps) => Promise<void>
  /** Returns the position of the oldest event of a tenant that it may still have to read. From there on, none is removed. */
  readonly oldestNeededEvent?: (db: Reader, tenantId: TenantId) => Promise<number | undefined>
  /** Returns what every new tenant gets. */
  readonly newTenant?: (deps: Deps, founding: Founding) => TenantDefaults | undefined
}

/** How often expired rows are removed. It can wait: under load, requests get nineteen twentieths of the time. */
export const cleanUpPause = { pauseMs: 30_000, share: 0.05 } as const
