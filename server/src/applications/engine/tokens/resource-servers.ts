// The resources that tokens are for: those of the tenant, and the management interface. What is allowed there depends on the caller.
import { managementResource } from '@bailiwick/contract'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { fromJson } from '../../../platform/json-text.ts'
import { findKeptResource } from '../../resources/resource-records.ts'
import { resources } from '../../resources/tables.ts'
import { applicationOf } from '../configuration/clients.ts'
import { currentTenancy } from '../tenancy.ts'
import { managementIndicator, managementScopesFor } from './management-resource.ts'

export const isForMachine = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.params?.['grant_type'] === 'client_credentials'

/**
 * Returns the resource of a machine that names none: the only one where it has scopes.
 * @throws InvalidTarget
 */
export async function machineResource(ctx: KoaContextWithOIDC): Promise<string> {
  const { deps, tenant } = currentTenancy()
  const application = applicationOf(ctx.oidc.client)?.row
  const [only, ...others] = application === undefined ? [] : fromJson(application.machine_scopes)
  if (only === undefined) {
    throw new errors.InvalidTarget(
      'this application cannot call any resource for itself, because its machineScopes are empty',
    )
  }
  if (others.length > 0) {
    throw new errors.InvalidTarget('this application can call several resources: name one of them in `resource`')
  }
  if (only.resourceId === managementResource) return managementIndicator(deps.config)
  const [resource] = await resources.byIds(deps.db, tenant.row.id, [only.resourceId])
  if (resource === undefined) throw new errors.InvalidTarget()
  return resource.indicator
}

/**
 * Returns the resource of a request for a user that names none: the first of those that the user has allowed, or none but UserInfo.
 * @throws InvalidScope for a request that asks for nothing at all
 */
export function resourceOfUser({ oidc: { params } }: KoaContextWithOIDC, allowed: unknown): string {
  if (Array.isArray(allowed)) return String(allowed[0] ?? '')
  const { scope } = params ?? {}
  if (allowed === undefined && (scope === undefined || scope === '')) {
    throw new errors.InvalidScope('scope is required: ask for openid, or name a resource with `resource`', '')
  }
  return typeof allowed === 'string' ? allowed : ''
}

/**
 * Gives a machine all its scopes at a resource if it asks for none in particular.
 * @throws InvalidScope for a scope that the application was not granted
 */
function settleScopes({ oidc: { params } }: KoaContextWithOIDC, granted: readonly string[]) {
  if (params === undefined) return
  const { scope } = params
  if (granted.length === 0) throw new errors.InvalidScope('this application was granted no scope of the resource', '')
  if (typeof scope !== 'string') {
    params['scope'] = granted.join(' ')
    return
  }
  const refused = scope.split(' ').find((each) => !granted.includes(each))
  if (refused !== undefined) throw new errors.InvalidScope('this application was not granted the scope', refused)
}

/** @throws InvalidTarget, InvalidScope */
export async function resourceServerInfo(ctx: KoaContextWithOIDC, indicator: string) {
  const { deps, tenant, settings } = currentTenancy()
  const application = applicationOf(ctx.oidc.client)?.row
  if (indicator === managementIndicator(deps.config)) {
    const scopes = application === undefined || !isForMachine(ctx) ? [] : managementScopesFor(application)
    // Nobody gets a token for this interface on behalf of a user.
    if (application === undefined || scopes.length === 0) throw new errors.InvalidTarget()
    settleScopes(ctx, scopes)
    return {
      audience: indicator,
      scope: scopes.join(' '),
      accessTokenFormat: 'jwt' as const,
      accessTokenTTL: application.access_token_ttl ?? settings.accessTokenTtl,
      jwt: { sign: { alg: 'ES256' as const } },
    }
  }
  const resource = await findKeptResource(deps.db, tenant, indicator)
  if (resource === undefined) throw new errors.InvalidTarget()
  let scopes = fromJson(resource.scopes).map(({ name }) => name)
  if (isForMachine(ctx)) {
    const own = application === undefined ? [] : fromJson(application.machine_scopes)
    const allowed = own.find(({ resourceId }) => resourceId === resource.id)?.scopes
    // On its own behalf, an application acts only at resources that it was granted.
    if (allowed === undefined) throw new errors.InvalidTarget()
    scopes = scopes.filter((scope) => allowed.includes(scope))
    settleScopes(ctx, scopes)
  }
  const format = resource.access_token_format ?? application?.access_token_format ?? 'jwt'
  return {
    audience: indicator,
    scope: scopes.join(' '),
    accessTokenFormat: format,
    accessTokenTTL: resource.access_token_ttl ?? application?.access_token_ttl ?? settings.accessTokenTtl,
    jwt: { sign: { alg: 'ES256' as const } },
  }
}
