// Whether a tenant is in test mode: only as long as its environment is development, on a server that allows it.
import type { Config } from '../../platform/config.ts'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import { type MaybePromise, whenReady } from '../../platform/maybe-promise.ts'
import type { Deps } from '../deps.ts'
import { type TenantRow, findTenantRow } from '../tenants/find-tenant.ts'
import type { TenantEntry } from '../tenants/tenant-entry.ts'
import { isTestAddress } from './test-addresses.ts'

type Allowing = Pick<Config, 'isTestModeAllowed'>

export const isInTestMode = ({ isTestModeAllowed }: Allowing, row: Pick<TenantRow, 'environment' | 'kind'>) =>
  isTestModeAllowed && row.environment === 'development' && row.kind === 'tenant'

/** @throws ApiError test_mode_unavailable */
export function assertTestMode(config: Allowing, row: TenantRow): void {
  if (!isInTestMode(config, row)) throw new ApiError('test_mode_unavailable')
}

/** The dependencies for asking; within a transaction, its own reads. */
export interface TestModeFinder {
  readonly config: Allowing
  readonly db: Reader
}

/** Returns whether a tenant is in test mode by its stored row, so that a change of its environment counts at once. */
export async function isTenantInTestMode({ config, db }: TestModeFinder, tenantId: TenantId): Promise<boolean> {
  if (!config.isTestModeAllowed) return false
  const row = await findTenantRow(db, tenantId)
  return row !== undefined && isInTestMode(config, row)
}

/** Returns whether messages to the address are caught, and its codes fixed. Any other address costs no statement. */
export const isCaught = async (finder: TestModeFinder, tenantId: TenantId, address: string): Promise<boolean> =>
  isTestAddress(address) && (await isTenantInTestMode(finder, tenantId))

/** Returns by how many milliseconds the clock of a tenant is ahead; 0 for almost every tenant. */
export const readMsAhead = (config: Allowing, { row }: Pick<TenantEntry, 'row'>): number =>
  row.clock_ahead_seconds !== 0 && isInTestMode(config, row) ? row.clock_ahead_seconds * 1000 : 0

/** Does the same for a tenant that is known by its id; 0 for one that does not exist. */
export function msAheadAt(
  { config, tenants }: Pick<Deps, 'config' | 'tenants'>,
  tenantId: string,
): MaybePromise<number> {
  if (!config.isTestModeAllowed) return 0
  return whenReady(tenants.byId(tenantId), (entry) => (entry === undefined ? 0 : readMsAhead(config, entry)))
}
