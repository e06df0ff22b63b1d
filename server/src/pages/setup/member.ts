// The set-up pages for members who may manage the connections of their organization. No mailbox is asked: their session is, and how recent it is.
import { membersPlace, enterOrganization } from '../../flows/own-organizations/rights.ts'
import { provenAt } from '../../identity/sessions/proof.ts'
import { toMs } from '../../platform/clock.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type Actor, operator } from '../../platform/http/credentials/principal.ts'
import type { PageCall } from '../call/page-call.ts'
import type { PageHandler } from '../call/page-route.ts'
import { pathOfState } from '../call/sign-in-first.ts'
import { inArea } from '../organizations/area.ts'
import { openOrganization } from '../organizations/open-organization.ts'
import type { Setup, SetupPage } from './area.ts'

/** Setting a provider up takes longer than other changes that want a recent proof. */
const proofSeconds = 60 * 60

/**
 * @throws ApiError forbidden without the permission, where the tenant does not offer it, and for whoever acts in the place of a user;
 * not_found if the reader is not a member.
 */
async function memberSetup(page: PageCall): Promise<Setup> {
  const { deps, tenant, session } = page
  const call = page.frontendCall()
  const organizationId = page.id
  const open = await openOrganization(page)
  await enterOrganization(deps, call, organizationId, 'org:connections:manage')
  if (!tenant.auth.organizationConnectionManagementEnabled || session?.row.actor_type !== null)
    throw new ApiError('forbidden')
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
  session !== undefined && clock.nowMs() - toMs(provenAt(session.row)) > proofSeconds * 1000

function proveFirst(page: PageCall) {
  const query = { level: 'recent', maxAge: String(proofSeconds), redirect_to: page.addressOf(pathOfState(page)) }
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
