// The domains of an organization: claiming, proving and removing them.
import { type OrganizationDomain, frontendEndpoints } from '@bailiwick/contract'
import { type DomainEffect, organizationDomainPage, organizationDomainsPage } from '@bailiwick/pages'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import type { Problems } from '../problems.ts'
import { cursorQuery, doneText, goDone, typed } from './area.ts'
import { openOrganization } from './open-organization.ts'
import { organizationProblems } from './problems.ts'

const perPage = '20'

/** What the tenant has decided for the domains of all its organizations. */
function effectsOf({ tenant: { auth } }: PageCall): DomainEffect[] {
  const effects: DomainEffect[] = []
  if (auth.organizationAutomaticInvitationEnabled) effects.push('invited')
  if (auth.organizationAutomaticInvitationSuggestionsEnabled) effects.push('suggested')
  return effects.length === 0 ? ['shown'] : effects
}

const listed = ({ id, name, verified }: OrganizationDomain) => ({ id, name, isVerified: verified })

async function showDomains(page: PageCall, problems?: Problems, name?: string) {
  const { shown } = await openOrganization(page)
  const query = { perPage, ...cursorQuery(page.query('cursor')) }
  const { domains, meta } = await page.run(frontendEndpoints.listOrganizationDomains, {
    params: { id: page.id },
    query,
  })
  const view = {
    organization: shown,
    domains: domains.map(listed),
    effects: effectsOf(page),
    prev: meta.prev,
    next: meta.next,
    name,
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationDomainsPage(page.frame(), view), problems?.status)
}

/** GET /organizations/{id}/domains?cursor */
export const openDomains = (page: PageCall) => showDomains(page)

/** A malformed name gets this message too: the page has only one field. */
export function problemsOfName(thrown: unknown, page: PageCall): Problems | undefined {
  const error = apiErrorOf(thrown)
  const isMalformed = error.code === 'validation_failed' && error.issues.every(({ code }) => code !== 'public_domain')
  return isMalformed
    ? { errors: { name: page.text('error.domain') }, status: 422 }
    : organizationProblems(error, page.text)
}

/** POST /organizations/{id}/domains */
export async function addDomain(page: PageCall) {
  const name = typed(page, 'name')
  try {
    const params = { id: page.id }
    const { domain } = await page.run(frontendEndpoints.createOrganizationDomain, { params, body: { name } })
    return goDone(page, `/organizations/${page.id}/domains/${domain.id}`, 'domain-added')
  } catch (error) {
    const problems = problemsOfName(error, page)
    if (problems === undefined) throw error
    return showDomains(page, problems, name)
  }
}

async function showDomain(page: PageCall, domain: OrganizationDomain, problems?: Problems) {
  const { shown } = await openOrganization(page)
  const view = {
    organization: shown,
    domain: listed(domain),
    record: {
      type: domain.verificationRecordType,
      name: domain.verificationRecordDomain,
      value: domain.verificationRecordValue,
    },
    done: doneText(page),
    ...(problems === undefined ? {} : { errors: problems.errors }),
  }
  return page.show(organizationDomainPage(page.frame(), view), problems?.status)
}

const paramsOf = (page: PageCall) => ({ id: page.id, domainId: page.parameter('domainId') })

/** GET /organizations/{id}/domains/{domainId} */
export async function openDomain(page: PageCall) {
  const { domain } = await page.run(frontendEndpoints.getOrganizationDomain, { params: paramsOf(page) })
  // The domain says whether the record was missing at the last check, also when the page is opened again.
  const isMissed = !domain.verified && domain.verificationRecordReason !== null
  return showDomain(
    page,
    domain,
    isMissed ? { errors: { form: page.text('orgs.domainMissing') }, status: 200 } : undefined,
  )
}

/** POST /organizations/{id}/domains/{domainId} */
export async function changeDomain(page: PageCall) {
  const params = paramsOf(page)
  if (page.field('action') === 'remove') {
    await page.run(frontendEndpoints.deleteOrganizationDomain, { params })
    return goDone(page, `/organizations/${page.id}/domains`, 'domain-removed')
  }
  const at = `/organizations/${page.id}/domains/${params.domainId}`
  try {
    const { domain } = await page.run(frontendEndpoints.verifyOrganizationDomain, { params })
    return domain.verified ? goDone(page, at, 'domain-verified') : page.go(at)
  } catch (error) {
    const problems = organizationProblems(error, page.text)
    if (problems === undefined) throw error
    const { domain } = await page.run(frontendEndpoints.getOrganizationDomain, { params })
    return showDomain(page, domain, problems)
  }
}
