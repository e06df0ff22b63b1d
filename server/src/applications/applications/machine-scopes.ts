// What machine applications may do on their own behalf: scopes of the tenant's resources, and of the management interface.
import { type Application, type Issue, type Scope, managementResource, scopes } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { holds } from '../../platform/http/credentials/authorize.ts'
import type { Principal } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { findScopesOfResources } from '../resources/scopes-of-resources.ts'

type Given = Pick<Application, 'machineScopes'>

const managementScopes = ({ machineScopes }: Given): Scope[] =>
  machineScopes.filter(({ resourceId }) => resourceId === managementResource).flatMap((each) => each.scopes as Scope[])

/** Returns the scopes that do not exist. */
export async function machineScopeIssues(db: Reader, tenantId: TenantId, { machineScopes }: Given): Promise<Issue[]> {
  const ids = machineScopes.map(({ resourceId }) => resourceId).filter((id) => id !== managementResource)
  const known = await findScopesOfResources(db, tenantId, ids)
  return machineScopes.flatMap(({ resourceId, scopes: given }, index): Issue[] => {
    const offered = resourceId === managementResource ? (scopes as readonly string[]) : known.get(resourceId)
    const path = `/machineScopes/${index}`
    if (offered === undefined) {
      return [{ path: `${path}/resourceId`, code: 'unknown_reference', message: 'is not a resource of this tenant' }]
    }
    return given.flatMap((scope, at) =>
      offered.includes(scope)
        ? []
        : [{ path: `${path}/scopes/${at}`, code: 'unknown_scope', message: 'is not a scope of this resource' }],
    )
  })
}

/** Returns the resources of a token exchange that do not exist. Nobody exchanges tokens of the management interface, or for it. */
export async function exchangeIssues(
  db: Reader,
  tenantId: TenantId,
  application: Pick<Application, 'exchangeFrom' | 'exchangeTo'>,
): Promise<Issue[]> {
  const known = await findScopesOfResources(db, tenantId, [...application.exchangeFrom, ...application.exchangeTo])
  return (['exchangeFrom', 'exchangeTo'] as const).flatMap((name) =>
    application[name].flatMap((id, index): Issue[] =>
      known.has(id)
        ? []
        : [{ path: `/${name}/${index}`, code: 'unknown_reference', message: 'is not a resource of this tenant' }],
    ),
  )
}

/**
 * A caller who gets the secret of an application, or sets its keys, could do whatever it may do at the management interface.
 * @throws ApiError forbidden
 */
export function assertHolds(principal: Principal, tenantId: TenantId, ...applications: readonly Given[]) {
  for (const scope of applications.flatMap(managementScopes)) {
    if (holds(principal, scope, tenantId)) continue
    throw new ApiError('forbidden', {
      detail: `This credential does not have the scope ${scope}, so it cannot give it to an application.`,
    })
  }
}
