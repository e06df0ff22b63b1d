// Organizations that a user may belong to, by the domains of the user's verified addresses. Shown, and nothing else: nobody becomes a
// member by a domain (GHSA-phx7-w8x2-3xgf).
import { type OrganizationSuggestion, domainOfEmail } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { pageOfWhole } from '../../platform/http/list-answer.ts'
import type { PageQuery } from '../../platform/http/page.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { assertOrganizationsEnabled } from './rights.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { emailAddressesOf } from '../../identity/users/find-user.ts'
import { suggestedOrganizations } from '../../identity/organization-domains/proven-domain.ts'

interface Suggested extends OrganizationSuggestion {
  /** When its domain was claimed: its place in the list, which is not shown. */
  readonly claimedAt: string
}

/** @throws ApiError forbidden where the tenant has organizations, or suggestions, off. */
export async function listOrganizationSuggestions({ db }: Deps, call: AnyCall, query: PageQuery) {
  const { tenant, tenantId, signedIn } = call
  assertOrganizationsEnabled(call)
  if (!tenant.auth.organizationAutomaticInvitationSuggestionsEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not suggest organizations.' })
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
