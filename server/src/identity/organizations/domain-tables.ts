import { asciiDomain, isMailDomain, mailDomainRule } from '@bailiwick/contract'
import { canonical, shortText, verificationToken } from '../../platform/db/accepted.ts'
import { id, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { OrganizationDomainId, OrganizationId } from '../../platform/ids.ts'

export const organizationDomains = table(
  'organization_domains',
  {
    ...record<OrganizationDomainId>(),
    organization_id: id<OrganizationId>(),
    /** Written as in canonical addresses. */
    name: text(),
    verified_at: time().nullable(),
    /** Null for a domain that the tenant alone has vouched for. */
    dns_verified_at: time().nullable(),
    verification_token: text(),
    verification_reason: text().nullable(),
  },
  {
    refusals: { organization_domains_name_key: 'domain_exists', organization_domains_verified_key: 'domain_taken' },
    accepts: {
      name: canonical(mailDomainRule, isMailDomain, (name) => asciiDomain(name) ?? ''),
      verification_token: verificationToken,
      verification_reason: shortText,
    },
  },
)
