// What all set-up pages share: their reader acts for one organization alone, with the authority of a link that the browser has opened, or as
// a member whose role allows it.
import type { SetupStep } from '@bailiwick/contract'
import type { SetupSection, SetupView } from '@bailiwick/pages'
import { type OpenLink, findOpenSetup } from '../../enterprise/setup/open-setup.ts'
import { type OrganizationPlace, getOrganization, tenantsPlace } from '../../identity/organizations/organizations.ts'
import { type Actor, type Caller, operator } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { rolesForOrganization } from '../../tenancy/roles/own-roles.ts'
import type { PageCall } from '../call/page-call.ts'
import type { PageHandler } from '../call/page-route.ts'

export interface NamedRole {
  readonly id: string
  readonly name: string
}

export interface Setup {
  /** Undefined for members. */
  readonly link?: OpenLink
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /** Has the authority of the tenant: what the reader may do is asked for each page, and each operation takes this organization alone. */
  readonly caller: Caller
  readonly place: OrganizationPlace
  /** Returns the roles that rules may give. */
  readonly roles: () => Promise<readonly NamedRole[]>
  /** The address to which the test of a connection returns. */
  readonly testReturnUri: string
  /** What every page shows. */
  readonly view: Pick<SetupView, 'base' | 'organization' | 'sections' | 'back'>
}

/** A page of a section, for whoever may use that section. */
export interface SetupPage {
  readonly section: SetupSection
  readonly handler: (page: PageCall, setup: Setup) => Promise<unknown>
}

export const inSection = (section: SetupSection, handler: SetupPage['handler']): SetupPage => ({ section, handler })

function findSections(steps: readonly SetupStep[]): SetupSection[] {
  const hasSignOn = steps.includes('sso')
  const hasScim = steps.includes('scim')
  return [
    'home',
    ...(steps.includes('domain') ? ['domains' as const] : []),
    ...(hasSignOn ? ['connection' as const] : []),
    ...(hasScim ? ['scim' as const] : []),
    ...(hasSignOn || hasScim ? ['roles' as const] : []),
    ...(hasSignOn ? ['done' as const] : []),
  ]
}

export const isOver = (page: PageCall) =>
  page.message({ title: page.text('setup.overTitle'), lead: page.text('setup.overLead') }, 403)

/** Roles that only the tenant may assign are not for links either. */
async function rolesOfLinks({ deps }: PageCall, tenantId: TenantId, organizationId: string): Promise<NamedRole[]> {
  const roles = await rolesForOrganization(deps.db, tenantId, organizationId)
  return roles.filter((role) => role.assignable_by !== 'tenant').map(({ id, name }) => ({ id, name }))
}

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
    roles: () => rolesOfLinks(page, tenantId, organizationId),
    testReturnUri: page.addressOf('/return'),
    view: { base: '/setup', organization: name, sections: findSections(fromJson(link.steps)) },
  }
}

/** Wraps a page of a section that the link must allow. */
export const byLink =
  ({ section, handler }: SetupPage): PageHandler =>
  async (page) => {
    const setup = await openedSetup(page)
    return setup?.view.sections.includes(section) === true ? handler(page, setup) : isOver(page)
  }
