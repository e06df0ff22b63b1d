// Set-up links, managed by the tenant. A link alone opens nothing: each browser also needs a code from the mailbox that it was made for.
import {
  type CreateSetupLink,
  type EventDataByType,
  type NewSetupLink,
  type SetupLink,
  setupSteps,
  tokenPrefixes,
} from '@bailiwick/contract'
import { holdOrganization } from '../../identity/organizations/members.ts'
import { isOrganization } from '../../identity/organizations/organizations.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/tokens.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { assertMayChangeUsers } from '../../platform/http/credentials/authorize.ts'
import type { Actor, Caller } from '../../platform/http/credentials/principal.ts'
import { type TenantId, newId } from '../../platform/ids.ts'
import { fromJson, toJson } from '../../platform/json-text.ts'
import { hostedRootOfId } from '../../tenancy/tenants/hosted-pages.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

const weekSeconds = 7 * 24 * 60 * 60

const present = (row: queries.SetupLinkRow): SetupLink => ({
  id: row.id,
  tenantId: row.tenant_id,
  organizationId: row.organization_id,
  email: row.email,
  steps: [...fromJson(row.steps)],
  openedAt: row.opened_at,
  finishedAt: row.finished_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
})

type LinkEventType = 'setup_link.created' | 'setup_link.opened' | 'setup_link.finished' | 'setup_link.deleted'

export const linkEvent = <Type extends LinkEventType>(
  { clock, personal }: Deps,
  type: Type,
  row: queries.SetupLinkRow,
  actor: Actor,
  data: EventDataByType[Type],
) => eventStatement(clock, personal, { tenantId: row.tenant_id, type, actor, subjectId: row.id, data })

export const linkData = (row: queries.SetupLinkRow) => ({
  organizationId: row.organization_id,
  steps: [...fromJson(row.steps)],
})

/** @throws ApiError not_found, forbidden, setup_link_limit_reached */
export async function createSetupLink(
  deps: Deps,
  tenantId: TenantId,
  organizationId: string,
  { email, steps = [...setupSteps], expiresInSeconds = weekSeconds }: CreateSetupLink,
  { principal, actor }: Caller,
): Promise<NewSetupLink> {
  assertMayChangeUsers(principal, tenantId, 'let somebody decide which provider signs the users of an organization in')
  const token = newToken(tokenPrefixes.setupLink)
  const row = await deps.db.transaction(async (tx) => {
    const organization = await holdOrganization(tx, tenantId, organizationId)
    const { length } = await queries.selectLinks(tx, tenantId, organizationId)
    if (length >= queries.linksMax) throw new ApiError('setup_link_limit_reached')
    const at = deps.clock.next()
    const made: queries.SetupLinkRow = {
      tenant_id: tenantId,
      id: newId<'SetupLinkId'>(),
      organization_id: organization.id,
      email,
      steps: toJson(setupSteps.filter((step) => steps.includes(step))),
      token_hash: hashToken(token),
      browser_hash: null,
      opened_at: null,
      finished_at: null,
      expires_at: addMilliseconds(at, 1000 * expiresInSeconds),
      created_at: at,
    }
    await tx.run(queries.insertLink(made))
    const data = { ...linkData(made), expiresAt: made.expires_at }
    await tx.run(linkEvent(deps, 'setup_link.created', made, actor, data))
    return made
  })
  const query = new URLSearchParams({ token }).toString()
  return { ...present(row), uri: `${hostedRootOfId(deps.config, tenantId)}/setup?${query}` }
}

/** @throws ApiError not_found for an organization that does not exist. */
export async function listSetupLinks({ db }: Deps, tenantId: TenantId, organizationId: string) {
  if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
  return (await queries.selectLinks(db, tenantId, organizationId)).map(present)
}

/** @throws ApiError not_found */
export async function deleteSetupLink(
  deps: Deps,
  tenantId: TenantId,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  actor: Actor,
) {
  return deps.db.transaction(async (tx) => {
    const row = await queries.selectLinkOf(tx, tenantId, organizationId, id)
    if (row === undefined || (await tx.run(queries.deleteLink(tenantId, row.id))) === 0) throw notFound()
    await tx.run(linkEvent(deps, 'setup_link.deleted', row, actor, linkData(row)))
    return present(row)
  })
}
