// The set-up pages for members who may manage the connections of their organization. No mailbox is asked: their session is, and how recent it is.
import { connectionProofMs, enterConnections } from '../../flows/organization-connections/place.ts'
import { membersPlace } from '../../flows/own-organizations/rights.ts'
import { provenAt } from '../../identity/sessions/proof.ts'
import { toMs } from '../../platform/clock.ts'
import { notFound } from '../../platform/http/api-error.ts'
import { type Actor, operator } from '../../platform/http/credentials/principal.ts'
import type { PageCall } from '../call/page-call.ts'
import type { PageHandler } from '../call/page-route.ts'
import { pathOfState } from '../call/sign-in-first.ts'
import { inArea } from '../organizations/area.ts'
import { openOrganization } from '../organizations/open-organization.ts'
import type { Setup, SetupPage } from './area.ts'

/**
 * @throws ApiError forbidden without the permission, where the tenant does not offer it, and for whoever acts in the place of a user;
 * not_found if the reader is not a member.
 */
async function memberSetup(page: PageCall): Promise<Setup> {
  const { deps, tenant } = page
  const call = page.frontendCall()
  const organizationId = page.id
  const open = await openOrganization(page)
  await enterConnections(deps, call, organizationId)
  const actor: Actor = call.actor()
  const base = `/organizations/${encodeURIComponent(organizationId)}/security`
  const mayProve = tenant.auth.organizationCustomDomainManagementEnabled && open.may('org:domains:manage')
  const query = new URLSearchParams({ organization: organizationId }).toString()
  return {
    tenantId: tenant.row.id,
    organizationId,
    actor,
    caller: { principal: operator, actor },
    place: membersPlace(deps, call, organizationId),
    roles: async () => open.roles.map(({ id, name }) => ({ id, name })),
    testReturnUri: page.addressOf(`/return?${query}`),
    view: {
      base,
      organization: open.own.name,
      sections: ['home', ...(mayProve ? ['domains' as const] : []), 'connection', 'scim', 'roles', 'done'],
      back: `/organizations/${encodeURIComponent(organizationId)}`,
    },
  }
}

const isProofOld = ({ deps: { clock }, session }: PageCall) =>
  session !== undefined && clock.nowMs() - toMs(provenAt(session.row)) > connectionProofMs

function proveFirst(page: PageCall) {
  const query = {
    level: 'recent',
    maxAge: String(connectionProofMs / 1000),
    redirect_to: page.addressOf(pathOfState(page)),
  }
  return page.go(`/verify?${new URLSearchParams(query).toString()}`)
}

/** Wraps a page of a section for members. */
export const byMember = ({ section, handler }: SetupPage): PageHandler =>
  inArea(async (page) => {
    const setup = await memberSetup(page)
    if (isProofOld(page)) return proveFirst(page)
    if (!setup.view.sections.includes(section)) throw notFound()
    return handler(page, setup)
  })
