// Access to accounts at social providers, stored as if their owners had allowed it.
import { keepAccess } from '../../../src/identity/provider-tokens/provider-tokens.ts'
import { providerRevocations, providerTokens } from '../../../src/identity/provider-tokens/tables.ts'
import { socialConnections } from '../../../src/identity/social-connections/tables.ts'
import { type SocialConnectionId, type TenantId, type UserId, newId } from '../../../src/platform/ids.ts'
import type { TestService } from '../service.ts'

/** Connects an account at Facebook and keeps access to it; returns the id of the connection. */
export async function storeKeptAccess(
  { deps }: TestService,
  tenantId: string,
  userId: string,
  [accessToken, refreshToken]: readonly [string, string] = ['an access token', 'a refresh token'],
) {
  const id = newId<'SocialConnectionId'>()
  const place = {
    tenant_id: tenantId as TenantId,
    id: id as SocialConnectionId,
    user_id: userId as UserId,
    provider_key: 'facebook',
    issuer: 'https://www.facebook.com',
  } as const
  const at = deps.clock.next()
  const tokens = { accessToken, refreshToken, tokenType: 'bearer', scopes: ['api'], expiresAt: null, refreshAt: null }
  const actor = { type: 'user', id: userId, ip: null, ua: null } as const
  await deps.db.transaction(async (tx) => {
    await tx.run(socialConnections.insert({ ...place, subject: id, email: null, created_at: at, updated_at: at }))
    await keepAccess(deps, tx, place, tokens, actor)
  })
  return id
}

/** Returns how many tokens a tenant keeps, and how many are yet to be revoked at their providers. */
export async function keptAccess({ deps }: TestService, tenantId: string) {
  const [kept, toRevoke] = await Promise.all(
    [providerTokens, providerRevocations].map((table) => table.all(deps.db)`tenant_id = ${tenantId} LIMIT 100`),
  )
  return { kept: kept?.length, toRevoke: toRevoke?.length }
}
