// The grant with which an agent redeems an identity assertion of an organization's provider (RFC 7523, ID-JAG) for an access token of its user.
// The token names the organization and the agent (`act`), and there is no refresh token: the provider decides each time.
import { idJagGrant } from '@bailiwick/contract'
import type Provider from 'oidc-provider'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import type { Redeemed } from '../../../enterprise/agents/redeem-assertion.ts'
import { ConstraintError } from '../../../platform/db/database.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { type ApplicationId, newId } from '../../../platform/ids.ts'
import { applicationOf } from '../configuration/clients.ts'
import { recordTrustNow } from '../configuration/consents.ts'
import { currentTenancy } from '../tenancy.ts'
import { resourceServerInfo } from './resource-servers.ts'
import { actAs } from './token-exchange.ts'

type Ctx = KoaContextWithOIDC

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** @throws InvalidGrant, InvalidRequest */
async function redeem(ctx: Ctx, clientId: string): Promise<Redeemed> {
  const { deps, tenant, issuer, actor } = currentTenancy()
  const assertion = text(ctx.oidc.params?.['assertion'])
  if (assertion === undefined) throw new errors.InvalidRequest('assertion is required')
  const { AssertionRefused, redeemAssertion } = await import('../../../enterprise/agents/redeem-assertion.ts')
  try {
    return await redeemAssertion(deps, tenant, { assertion, clientId, issuers: issuer.identifiers, actor })
  } catch (error) {
    if (!(error instanceof AssertionRefused)) throw error
    deps.log.info({ err: error, tenantId: tenant.row.id, clientId }, 'an identity assertion is refused')
    throw new errors.InvalidGrant(error.message)
  }
}

/** Returns what the resource, the assertion, the connection and the request allow together. @throws InvalidTarget, InvalidScope */
async function narrowed(ctx: Ctx, { resource, scopes }: Redeemed) {
  const asked = text(ctx.oidc.params?.['resource'])
  if (asked !== undefined && asked !== resource) throw new errors.InvalidTarget('the assertion is for another resource')
  const info = await resourceServerInfo(ctx, resource)
  const offered = info.scope.split(' ').filter((each) => each !== '' && (scopes === undefined || scopes.includes(each)))
  const wanted = text(ctx.oidc.params?.['scope'])?.split(' ') ?? offered
  const refused = wanted.find((each) => !offered.includes(each))
  if (refused !== undefined) throw new errors.InvalidScope('the assertion does not allow this scope', refused)
  if (wanted.length === 0) throw new errors.InvalidScope('the assertion allows no scope of this resource', '')
  return { info, scopes: wanted }
}

/** Records what the agent has got, so that its user sees it and can end it. */
async function grantFor(
  ctx: Ctx,
  redeemed: Redeemed,
  applicationId: ApplicationId,
  scopes: readonly string[],
  ttl: number,
) {
  const { store } = currentTenancy()
  const { userId, organizationId, resource } = redeemed
  const requested = { scopes: [], resourceScopes: { [resource]: scopes }, claims: [] }
  const row = await recordTrustNow({ userId, applicationId, organizationId }, requested).catch((error: unknown) => {
    if (!(error instanceof ConstraintError)) throw error
    throw new errors.InvalidGrant('the user, the organization or the client was deleted meanwhile')
  })
  const { provider, client } = ctx.oidc
  const grant = new provider.Grant({ accountId: userId, clientId: client?.clientId ?? '', expiresIn: ttl } as never)
  grant.addResourceScope(resource, scopes.join(' '))
  grant.jti = newId()
  store.familyOf.set(grant.jti, { grantId: row.id, organizationId })
  await grant.save()
  return grant.jti
}

type Client = InstanceType<Provider['Client']>

/**
 * Returns the application of a client that describes itself in a document. Its record is made with the first assertion that it redeems: until
 * then nobody has said that it may do anything here.
 * @throws InvalidGrant if the tenant has the maximum number of applications.
 */
async function describedApplication(client: Client): Promise<ApplicationId> {
  const { deps, tenant, store, actor } = currentTenancy()
  const { ensureAgent } = await import('../../applications/self-described.ts')
  try {
    const id = await ensureAgent(deps, tenant, client, actor)
    store.applicationOf.set(client.clientId, id)
    return id
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'application_limit_reached') throw error
    throw new errors.InvalidGrant('this tenant has the maximum number of applications')
  }
}

async function exchange(ctx: Ctx) {
  const { provider, client } = ctx.oidc
  const { tenant, store, actor } = currentTenancy()
  if (client === undefined) throw new errors.InvalidClient('client is required')
  const redeemed = await redeem(ctx, client.clientId)
  const { info, scopes } = await narrowed(ctx, redeemed)
  const applicationId = applicationOf(client)?.row.id ?? (await describedApplication(client))
  const { userId, organizationId, connectionId, resource } = redeemed
  const ttl = Math.min(redeemed.ttl, info.accessTokenTTL)
  const grantId = await grantFor(ctx, redeemed, applicationId, scopes, ttl)
  actAs(ctx, { sub: client.clientId })
  const scope = scopes.join(' ')
  const token = new provider.AccessToken({ accountId: userId, client, grantId, gty: idJagGrant, scope, expiresIn: ttl })
  token.resourceServer = new provider.ResourceServer(resource, info) as never
  ctx.oidc.entity('AccessToken', token)
  const value = await token.save()
  store.events.push({
    tenantId: tenant.row.id,
    type: 'connection.assertion_redeemed',
    actor: { ...actor, type: 'user', id: userId },
    subjectId: connectionId,
    data: { organizationId, userId, applicationId, resource, scopes: [...scopes] },
  })
  ctx.body = { access_token: value, token_type: token.tokenType, expires_in: token.expiration, scope }
}

export function registerIdJagGrant(provider: Provider) {
  provider.registerGrantType(idJagGrant, (ctx) => exchange(ctx), ['assertion', 'scope', 'resource'])
}
