// The domains of the organization: naming them, and checking the record that proves each.
import type { OrganizationDomain } from '@bailiwick/contract'
import { setupDomainsPage, setupPath } from '@bailiwick/pages'
import {
  createOrganizationDomain,
  listOrganizationDomains,
  verifyOrganizationDomain,
} from '../../identity/organization-domains/organization-domains.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { problemsOfName } from '../organizations/domains.ts'
import { organizationProblems } from '../organizations/problems.ts'
import type { Problems } from '../problems.ts'
import { type Setup, inSection } from './area.ts'

const shown = (domain: OrganizationDomain) => ({
  id: domain.id,
  name: domain.name,
  isVerified: domain.verified,
  record: {
    type: domain.verificationRecordType,
    name: domain.verificationRecordDomain,
    value: domain.verificationRecordValue,
  },
})

async function showDomains(page: PageCall, { place, view }: Setup, problems?: Problems, name?: string) {
  const domains = (await listOrganizationDomains(page.deps, place)).map(shown)
  const done = page.query('done') === 'verified' ? page.text('orgs.domainChecked') : undefined
  const errors = problems === undefined ? {} : { errors: problems.errors }
  return page.show(setupDomainsPage(page.frame(), { ...view, domains, name, done, ...errors }), problems?.status)
}

/** GET …/domains */
export const openDomains = inSection('domains', (page, setup) => showDomains(page, setup))

async function checkDomain(page: PageCall, setup: Setup, id: string) {
  try {
    const { verified } = await verifyOrganizationDomain(page.deps, setup.place, id)
    if (verified) return page.go(`${setupPath(setup.view, 'domains')}?done=verified`)
    return await showDomains(page, setup, { errors: { form: page.text('orgs.domainMissing') }, status: 422 })
  } catch (error) {
    const problems = organizationProblems(apiErrorOf(error), page.text)
    if (problems === undefined) throw error
    return showDomains(page, setup, problems)
  }
}

/** POST …/domains with the id of a domain to check, or with the name of a new one. */
export const changeDomains = inSection('domains', async (page, setup) => {
  const id = page.field('id')
  if (id !== undefined) return checkDomain(page, setup, id)
  const name = page.field('name')?.trim() ?? ''
  try {
    await createOrganizationDomain(page.deps, setup.place, name)
    return page.go(setupPath(setup.view, 'domains'))
  } catch (error) {
    const problems = problemsOfName(error, page)
    if (problems === undefined) throw error
    return showDomains(page, setup, problems, name)
  }
})
