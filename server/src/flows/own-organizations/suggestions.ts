// Organizations that a user may belong to, by the domains of the user's verified addresses. A suggestion gives no right: nobody becomes a
// member by a domain, only by accepting the invitation that is sent to the address (GHSA-phx7-w8x2-3xgf).
import { type OrganizationSuggestion, domainOfEmail } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { inviteWhoAsks } from '../../identity/organizations/automatic-invitation.ts'
import { suggestedOrganizations } from '../../identity/organizations/domain-records.ts'
import { emailAddressesOf, lockUser } from '../../identity/users/find-user.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { PageQuery } from '../../platform/http/lists/page.ts'
import { takeQuota } from '../../platform/quotas/quotas.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertOrganizationsEnabled } from './rights.ts'

interface Suggested extends OrganizationSuggestion {
  /** When its domain was claimed; decides its place in the list, and is not shown. */
  readonly claimedAt: string
}

/** @throws ApiError forbidden if the tenant has organizations, or suggestions, off. */
function assertSuggested(call: AnyCall) {
  assertOrganizationsEnabled(call)
  if (!call.tenant.auth.organizationAutomaticInvitationSuggestionsEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not suggest organizations.' })
}

const requests = ({ config }: Deps) => ({
  name: 'invitation_requests:day',
  usesMax: config.env === 'development' ? 2000 : 20,
  windowSeconds: 24 * 60 * 60,
})

/**
 * Sends the user the invitation that a new user with such an address gets. Resolves with the address it was sent to.
 * @throws ApiError not_found for an organization that is not suggested to the user; forbidden if the tenant does not suggest organizations,
 * or does not invite users by domain; invitation_exists, membership_limit_reached, too_many_attempts.
 */
export async function requestInvitation(deps: Deps, call: AnyCall, organizationId: string): Promise<string> {
  const { tenant, tenantId, signedIn } = call
  assertSuggested(call)
  if (!tenant.auth.organizationAutomaticInvitationEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not invite users by the domain of their address.' })
  const { user_id: userId } = signedIn.row
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    if (user?.status !== 'active') throw new ApiError('unauthenticated')
    await takeQuota(deps, tx, tenantId, requests(deps), userId)
    return inviteWhoAsks(deps, tx, { tenantId, userId, organizationId }, call.actor())
  })
}

/** @throws ApiError forbidden if the tenant has organizations, or suggestions, off. */
export async function listOrganizationSuggestions({ db }: Deps, call: AnyCall, query: PageQuery) {
  const { tenantId, signedIn } = call
  assertSuggested(call)
  const { user_id: userId } = signedIn.row
  const addresses = await emailAddressesOf(db, tenantId, userId)
  const verified = addresses.filter(({ verified_at: at }) => at !== null)
  const names = [...new Set(verified.map(({ email }) => domainOfEmail(email)))]
  const rows = await suggestedOrganizations(db, tenantId, userId, names)
  // An organization with several of these domains is suggested once, at the place of its first.
  const byOrganization = new Map<string, Suggested>()
  for (const { id, name, slug, image_uri: imageUri, domain, created_at: claimedAt } of rows) {
    const place = byOrganization.get(id)?.claimedAt ?? claimedAt
    byOrganization.set(id, { organizationId: id, name, slug, imageUri, domain, claimedAt: place })
  }
  const items = [...byOrganization.values()]
  return pageOfWhole('suggestions', { items, order: 'oldest first', placeOf: ({ claimedAt }) => claimedAt }, query)
}
