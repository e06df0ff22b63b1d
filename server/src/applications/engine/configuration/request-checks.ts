// What is wrong with a request is said at once, before the user signs in for nothing.
import { isId, isSlug } from '@bailiwick/contract'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { currentTenancy } from '../tenancy.ts'

/** Refuses a request of which nothing could be granted: without a scope of OpenID Connect, and with none that its resources have. */
function checkScopes({ oidc }: KoaContextWithOIDC) {
  if (oidc.route === 'device_authorization' || oidc.requestParamOIDCScopes.size > 0) return
  const requested = [...oidc.requestParamScopes].join(' ')
  const servers = Object.entries(oidc.resourceServers ?? {})
  if (servers.length === 0) {
    const advice = 'none of the requested scopes exists: request openid, or name the resource that has the scope'
    throw new errors.InvalidScope(advice, requested)
  }
  const isUsable = servers.some(
    ([, { scope }]) => scope === '' || scope.split(' ').some((each) => oidc.requestParamScopes.has(each)),
  )
  if (isUsable) return
  const offers = servers.map(([indicator, { scope }]) => `${indicator} has the scopes ${scope}`)
  throw new errors.InvalidScope(`the resource has none of the requested scopes: ${offers.join('; ')}`, requested)
}

function checkOrganization(organization: string | undefined) {
  if (organization === undefined) return
  if (!currentTenancy().tenant.auth.organizationsEnabled) {
    throw new errors.InvalidRequest('organization cannot be used because this tenant has no organizations')
  }
  if (!isId(organization) && !isSlug(organization)) {
    throw new errors.InvalidRequest('organization must be the id or the slug of an organization')
  }
}

/** Runs when the engine has checked everything else. */
export function checkRequest(ctx: KoaContextWithOIDC, organization: string | undefined) {
  checkScopes(ctx)
  checkOrganization(organization)
}
