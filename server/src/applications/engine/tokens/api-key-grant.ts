// The grant with which an application exchanges the API key that it received for a short JWT. The application authenticates as for any
// other grant; the key says whose it is.
import { apiKeyGrant } from '@bailiwick/contract'
import type Provider from 'oidc-provider'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { findKeyChecks } from '../../user-api-keys/check-key.ts'
import { createKeyJwt } from '../../user-api-keys/key-jwt.ts'
import { currentTenancy } from '../tenancy.ts'

/** @throws InvalidGrant, the same for every key that is not valid now. */
async function exchange(ctx: KoaContextWithOIDC) {
  const { deps, tenant } = currentTenancy()
  const key = ctx.oidc.params?.['api_key']
  if (typeof key !== 'string' || key === '') throw new errors.InvalidRequest('api_key is required')
  const found = await findKeyChecks(deps).find(tenant, key)
  if (found === undefined) throw new errors.InvalidGrant('the api_key is not valid')
  const { jwt, seconds } = await createKeyJwt(deps, found)
  ctx.body = { access_token: jwt, token_type: 'Bearer', expires_in: seconds, scope: found.scopes.join(' ') }
}

export function registerApiKeyGrant(provider: Provider) {
  provider.registerGrantType(apiKeyGrant, (ctx) => exchange(ctx), ['api_key'])
}
