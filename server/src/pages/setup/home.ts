import { setupHomePage } from '@bailiwick/pages'
import { listConnections } from '../../enterprise/connections/connections.ts'
import { listOrganizationDomains } from '../../identity/organization-domains/organization-domains.ts'
import type { PageCall } from '../call/page-call.ts'
import { type Setup, inSetup } from './area.ts'

/** GET /setup/home */
export const openHome = inSetup('home', async (page: PageCall, { place, tenantId, organizationId, view }: Setup) => {
  const domains = await listOrganizationDomains(page.deps, place)
  const connections = await listConnections(page.deps, tenantId, organizationId)
  const isDone = {
    home: true,
    domains: domains.some(({ verified }) => verified),
    connection: connections.some(({ state }) => state === 'live'),
  }
  const sections = view.sections.filter((section) => section !== 'home')
  const steps = sections.map((section) => ({ section, isDone: isDone[section] }))
  return page.show(setupHomePage(page.frame(), { ...view, steps }))
})
