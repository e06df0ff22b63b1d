// Organizations that a user may belong to, by the domains of the user's verified addresses. Shown, and nothing else: nobody becomes a
// member by a domain (GHSA-phx7-w8x2-3xgf).
import { type OrganizationSuggestion, domainOfEmail } from '@bailiwick/contract'
import type { Deps } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { assertOrganizationsEnabled } from '../own-organizations/rights.ts'
import type { AnyCall } from '../sign-in/flow.ts'
import { selectEmailAddressesOf } from '../users/queries.ts'
import { selectSuggestions } from './queries.ts'

/** @throws ApiError forbidden where the tenant has organizations, or suggestions, off. */
export async function listOrganizationSuggestions(
  { db }: Deps,
  call: AnyCall,
): Promise<{ suggestions: OrganizationSuggestion[] }> {
  const { tenant, tenantId, signedIn } = call
  assertOrganizationsEnabled(call)
  if (!tenant.auth.organizationAutomaticInvitationSuggestionsEnabled)
    throw new ApiError('forbidden', { detail: 'This tenant does not suggest organizations.' })
  const { user_id: userId } = signedIn.row
  const addresses = await selectEmailAddressesOf(db, tenantId, [userId])
  const verified = addresses.filter(({ verified_at: at }) => at !== null)
  const names = [...new Set(verified.map(({ email }) => domainOfEmail(email)))]
  const rows = names.length === 0 ? [] : await selectSuggestions(db, tenantId, userId, names)
  const byOrganization = new Map(
    rows.map(({ id, name, slug, image_uri: imageUri, domain }) => [
      id,
      { organizationId: id, name, slug, imageUri, domain },
    ]),
  )
  return { suggestions: [...byOrganization.values()] }
}
