import { setupHomePage, type SetupHomeView } from '@bailiwick/pages'
import { listAgents } from '../../applications/grants/own-authorizations.ts'
import { provenDomains } from '../../enterprise/connections/find-connection.ts'
import { getGroupRules } from '../../enterprise/scim/rules/group-rules.ts'
import { listScimTokens } from '../../enterprise/scim/tokens.ts'
import type { PageCall } from '../call/page-call.ts'
import { type Setup, inSection } from './area.ts'
import { readConnections } from './current-connection.ts'

type Step = SetupHomeView['steps'][number]

async function progress(page: PageCall, setup: Setup): Promise<Readonly<Record<Step['section'], boolean>>> {
  const { deps } = page
  const { tenantId, organizationId } = setup
  const domains = await provenDomains(deps.db, tenantId, organizationId)
  const connections = await readConnections(page, setup)
  const newest = connections[0]
  const tokens = newest === undefined ? [] : await listScimTokens(deps, tenantId, newest.id)
  const rules = newest === undefined ? [] : (await getGroupRules(deps, tenantId, newest.id)).rules
  return {
    domains: domains.length > 0,
    connection: connections.some(({ state }) => state === 'live'),
    scim: tokens.some(({ lastUsedAt }) => lastUsedAt !== null),
    roles: rules.length > 0 || connections.some(({ roleRules }) => roleRules.length > 0),
  }
}

/** GET /setup/home, /organizations/{id}/security */
export const openHome = inSection('home', async (page, setup) => {
  const isDone = await progress(page, setup)
  const steps = setup.view.sections.flatMap((section): Step[] =>
    section === 'home' || section === 'done' ? [] : [{ section, isDone: isDone[section] }],
  )
  const agents = await listAgents(page.deps, setup.tenantId, setup.organizationId)
  const now = page.deps.clock.now()
  return page.show(setupHomePage(page.frame(), { ...setup.view, steps, agents, now }))
})
