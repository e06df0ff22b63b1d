// The claims that a tenant's own server adds to a token before it is issued. The server is asked at most once a minute on each node about the
// same token of the same user, so a page that renews its token costs it little; a change of the user or of the hooks asks again.
import type { ClaimToken } from '@bailiwick/contract'
import { LRUCache } from 'lru-cache'
import { consultHooks, hooksInUse, textFor } from '../../messaging/hooks/decisions.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Claims } from '../../tenancy/tenants/claims/add-claims.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import type { Membership } from '../organizations/membership-of.ts'
import type { UserRecord } from '../users/present.ts'

const keptMs = 60_000
const keptBytesMax = 8 * 1024 * 1024
const entryBytes = 500

/** Whom a token is for, and to whom it is issued. */
export interface TokenFacts {
  readonly user: UserRecord
  readonly membership: Membership | undefined
  readonly applicationId?: string | undefined
  readonly audience?: string | undefined
  readonly scopes?: ReadonlySet<string>
}

/** The answers that allowed a token, as text. */
const kept = new LRUCache<string, string>({
  maxSize: keptBytesMax,
  ttl: keptMs,
  sizeCalculation: (claims, key) => claims.length + key.length + entryBytes,
})
/** What is being asked; tokens of the same kind that are issued at once share one call. */
const asking = new Map<string, Promise<string>>()

const describeToken = (token: ClaimToken, { user, membership, applicationId, audience, scopes }: TokenFacts) => ({
  token,
  user: {
    id: user.row.id,
    updatedAt: user.row.updated_at,
    name: user.row.name,
    username: user.row.username,
    email: user.emailAddresses.find(({ id }) => id === user.row.primary_email_id)?.email ?? null,
    role: user.role?.name ?? null,
  },
  organizationId: membership?.organizationId ?? null,
  applicationId: applicationId ?? null,
  audience: audience ?? null,
  scopes: [...(scopes ?? [])].toSorted(),
})

/** Returns whether the tenant's own server is asked about tokens. */
export const hasTokenHooks = async (deps: Deps, tenant: TenantEntry) =>
  (await hooksInUse(deps.db, tenant, 'token.before_issue')).length > 0

/** @throws ApiError hook_denied */
async function ask(deps: Deps, hooks: Awaited<ReturnType<typeof hooksInUse>>, facts: object): Promise<string> {
  const verdict = await consultHooks(deps, hooks, facts)
  if (verdict.isAllowed) return JSON.stringify(verdict.additions?.claims ?? {})
  const detail = textFor(verdict.message, undefined)
  throw new ApiError('hook_denied', detail === undefined ? {} : { detail })
}

/**
 * Returns the claims that the tenant's hooks add to a token; none if it has no hooks.
 * @throws ApiError hook_denied if no token may be issued.
 */
export async function claimsOfHooks(
  deps: Deps,
  tenant: TenantEntry,
  token: ClaimToken,
  about: TokenFacts,
): Promise<Claims> {
  // Answers of the userinfo endpoint are no tokens.
  const hooks = token === 'userinfo' ? [] : await hooksInUse(deps.db, tenant, 'token.before_issue')
  if (hooks.length === 0) return {}
  const facts = describeToken(token, about)
  const key = JSON.stringify([hooks.map(({ id, updated_at }) => [id, updated_at]), facts])
  const known = kept.get(key)
  if (known !== undefined) return JSON.parse(known) as Claims
  const pending = asking.get(key) ?? ask(deps, hooks, facts).finally(() => asking.delete(key))
  asking.set(key, pending)
  const claims = await pending
  kept.set(key, claims)
  return JSON.parse(claims) as Claims
}
