// The resources that tokens are for: those of the tenant, and the management interface. What is allowed there depends on the caller.
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { fromJson } from '../../platform/json-text.ts'
import { findKeptResource } from '../resources/resource-records.ts'
import { applicationOf } from './clients.ts'
import { managementIndicator, managementScopesFor } from './management-resource.ts'
import { currentTenancy } from './tenancy.ts'

/** @throws InvalidTarget */
export async function resourceServerInfo(ctx: KoaContextWithOIDC, indicator: string) {
  const { deps, tenant, settings } = currentTenancy()
  const application = applicationOf(ctx.oidc.client)?.row
  if (indicator === managementIndicator(deps.config)) {
    const isForItself = ctx.oidc.params?.['grant_type'] === 'client_credentials'
    const scopes = application === undefined || !isForItself ? [] : managementScopesFor(application)
    // Nobody gets a token for this interface on behalf of a user.
    if (application === undefined || scopes.length === 0) throw new errors.InvalidTarget()
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
  if (ctx.oidc.params?.['grant_type'] === 'client_credentials') {
    const own = application === undefined ? [] : fromJson(application.machine_scopes)
    const allowed = own.find(({ resourceId }) => resourceId === resource.id)?.scopes
    // On its own behalf, an application acts only at resources that it was granted.
    if (allowed === undefined) throw new errors.InvalidTarget()
    scopes = scopes.filter((scope) => allowed.includes(scope))
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
