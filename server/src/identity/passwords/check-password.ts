import { codePointLength, passwordLengthMin as lengthMinEverywhere } from '@bailiwick/contract'
import { ApiError, invalid } from '../../platform/http/api-error.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { type Chooser, problemOf } from './password-policy.ts'

/** Console users hold the keys to every tenant that they administer. */
const consoleLengthMin = 12

/** Returns the smallest number of characters in a new password of a tenant's user. */
export const passwordLengthMin = ({ row: { kind }, auth }: Pick<TenantEntry, 'row' | 'auth'>): number =>
  kind === 'console' ? Math.max(consoleLengthMin, auth.passwordLengthMin) : auth.passwordLengthMin

export interface PasswordCheckOptions {
  /**
   * The person who chooses the password: it must not be derived from that person's data, nor be a common one. Left out if the tenant sets a
   * password for somebody, which only has to be long enough.
   */
  readonly chosenBy?: Chooser
  /** The property that holds the password. */
  readonly path?: string
}

async function problemOfChosen(
  { isBreached }: Pick<Deps, 'isBreached'>,
  tenant: TenantEntry | undefined,
  password: string,
  chosenBy: Chooser,
) {
  const problem = await problemOf(password, { ...chosenBy, tenantName: tenant?.row.name ?? '' })
  if (problem !== undefined || tenant?.auth.breachedPasswordsRefused === false) return problem
  const isKnown = (await isBreached?.(password)) ?? false
  return isKnown ? { code: 'password_breached', message: 'has been in a data breach' } : undefined
}

/**
 * Checks a new password against the rules of the tenant; the rules that hold everywhere are in the contract.
 * @throws ApiError validation_failed
 */
export async function checkPassword(
  deps: Pick<Deps, 'tenants' | 'isBreached'>,
  tenantId: TenantId,
  password: string,
  { chosenBy, path = '/password' }: PasswordCheckOptions = {},
): Promise<void> {
  const tenant = await deps.tenants.byId(tenantId)
  const lengthMin = tenant === undefined ? lengthMinEverywhere : passwordLengthMin(tenant)
  if (codePointLength(password) < lengthMin) {
    const whose = tenant?.row.kind === 'console' ? ' for an administrator' : ''
    throw invalid(path, 'too_short', `must have at least ${lengthMin} characters${whose}`)
  }
  if (chosenBy === undefined) return
  const problem = await problemOfChosen(deps, tenant, password, chosenBy)
  if (problem !== undefined) throw new ApiError('validation_failed', { issues: [{ path, ...problem }] })
}
