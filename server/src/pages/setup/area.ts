// What all set-up pages share: the browser has opened a link, and acts for the organization of that link alone.
import type { SetupStep } from '@bailiwick/contract'
import type { SetupSection } from '@bailiwick/pages'
import { type OpenLink, findOpenSetup } from '../../enterprise/setup/open-setup.ts'
import { type DomainPlace, tenantsPlace } from '../../identity/organization-domains/place.ts'
import { getOrganization } from '../../identity/organizations/organizations.ts'
import { type Actor, type Caller, operator } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { PageCall } from '../call/page-call.ts'
import type { PageHandler } from '../call/page-route.ts'

export interface Setup {
  readonly link: OpenLink
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** Has the authority of whoever made the link: it is asked for each operation, which takes this organization alone. */
  readonly caller: Caller
  readonly place: DomainPlace
  /** What every page shows. */
  readonly view: { readonly organization: string; readonly sections: readonly SetupSection[] }
}

const sectionsOf = (steps: readonly SetupStep[]): SetupSection[] => [
  'home',
  ...(steps.includes('domain') ? ['domains' as const] : []),
  ...(steps.includes('sso') ? ['connection' as const] : []),
]

export const isOver = (page: PageCall) =>
  page.message({ title: page.text('setup.overTitle'), lead: page.text('setup.overLead') }, 403)

/** Returns what a browser has opened; undefined if its link has ended. */
export async function openedSetup(page: PageCall): Promise<Setup | undefined> {
  const { deps, tenant } = page
  const call = page.frontendCall()
  const hash = call.heldHash('flow')
  const link = hash === undefined ? undefined : await findOpenSetup(deps, tenant.row.id, hash)
  if (link === undefined) return undefined
  const { tenant_id: tenantId, organization_id: organizationId } = link
  const actor: Actor = { ...call.actor(null), type: 'setup_link', id: link.id }
  const { name } = await getOrganization(deps, tenantId, organizationId)
  return {
    link,
    tenantId,
    organizationId,
    actor,
    caller: { principal: operator, actor },
    place: tenantsPlace(tenantId, organizationId, actor),
    view: { organization: name, sections: sectionsOf(fromJson(link.steps)) },
  }
}

/** Wraps a page of a section that the link must allow. */
export const inSetup =
  (section: SetupSection, handler: (page: PageCall, setup: Setup) => Promise<unknown>): PageHandler =>
  async (page) => {
    const setup = await openedSetup(page)
    return setup?.view.sections.includes(section) === true ? handler(page, setup) : isOver(page)
  }
