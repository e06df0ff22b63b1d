import { type CreateOrganization, type UpdateOrganization, slugKey } from '@bailiwick/contract'
import { addToCounters, readCounters } from '../../platform/db/counters.ts'
import { ConstraintError, type Reader, writeReturning } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { ApiError, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { roleIdNow } from '../../platform/http/ends.ts'
import { countUpTo, type CreatedRange, narrowed, totalOf } from '../../platform/http/lists/list-filter.ts'
import { pageEnvelope, type PageQuery, pageRequest, selectPageAndTotal } from '../../platform/http/lists/page.ts'
import { type OrganizationId, type RoleId, type TenantId, type UserId, newId } from '../../platform/ids.ts'
import { metaText, metaTextOr, toJson } from '../../platform/json-text.ts'
import { slugCandidates } from '../../platform/slug-candidates.ts'
import { deleteOwnRoles } from '../../tenancy/roles/own-roles.ts'
import { findRolesOfHolders, roleMembersCounter } from '../../tenancy/roles/roles.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import type { Deps } from '../deps.ts'
import { deleteTerms, insertTerms, organizationTerms, replaceTerms } from '../search/term-tables.ts'
import { memberStatements, newMemberRow } from './members.ts'
import { invitationsCounter, membersCounter } from './membership.ts'
import { type OrganizationFilter, foundOrganizations, termsOfOrganization } from './organization-search.ts'
import { presentOrganization } from './present.ts'
import * as queries from './queries.ts'

type NewOrganization = Omit<CreateOrganization, 'tenantId'>

export const isOrganization = async (db: Reader, tenantId: TenantId, id: string): Promise<boolean> =>
  (await queries.selectOrganization(db, tenantId, id)) !== undefined

/** An organization in which something is managed, and by whom: by a member whose permissions allow it, or by the tenant. */
export interface OrganizationPlace<Entered = void> {
  readonly tenantId: TenantId
  readonly organizationId: string
  readonly actor: Actor
  /**
   * Returns what the caller may do there.
   * @throws ApiError forbidden, not_found
   */
  readonly enter: (db: Reader) => Promise<Entered>
}

/** The way of the tenant, which needs no permission in the organization. */
export const tenantsPlace = (tenantId: TenantId, organizationId: string, actor: Actor): OrganizationPlace => ({
  tenantId,
  organizationId,
  actor,
  async enter(db) {
    if (!(await isOrganization(db, tenantId, organizationId))) throw notFound()
  },
})

/** The end user who creates an organization, and the role that the user gets in it. */
export interface Creator {
  readonly userId: UserId
  readonly roleId: RoleId | null
}

const isSlugTaken = (error: unknown) =>
  error instanceof ConstraintError && error.constraint === 'organizations_slug_key'

async function write(
  deps: Deps,
  tenantId: TenantId,
  { id, slug, ...input }: NewOrganization & { readonly id: OrganizationId; readonly slug: string },
  actor: Actor,
  creator: Creator | undefined,
) {
  const { db, clock, personal } = deps
  const row = await writeReturning(db, (context) => {
    const at = clock.next()
    const returns: queries.OrganizationRow = {
      tenant_id: tenantId,
      id,
      creator_id: creator?.userId ?? null,
      name: input.name,
      slug,
      slug_key: slugKey(slug),
      search_terms: termsOfOrganization({ name: input.name, slug, slug_key: slugKey(slug) }),
      image_uri: input.imageUri ?? null,
      description: input.description ?? null,
      public_meta: metaText(input.publicMeta),
      private_meta: metaText(input.privateMeta),
      second_factor_required: 0,
      allowed_strategies: toJson([]),
      session_maximum_lifetime: null,
      created_at: at,
      updated_at: at,
    }
    const statements = [
      queries.insertOrganization(returns),
      ...insertTerms(organizationTerms, [returns]),
      addToCounters(context, tenantId, { organizations: 1 }),
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization.created',
        actor,
        subjectId: id,
        data: { name: returns.name, slug },
      }),
      ...(creator === undefined ? [] : memberStatements(deps, context, firstMember(deps, returns, creator), actor)),
    ]
    return { statements, returns }
  })
  return row
}

function firstMember({ clock }: Deps, { tenant_id, id }: queries.OrganizationRow, { userId, roleId }: Creator) {
  return newMemberRow({ tenantId: tenant_id, organizationId: id, userId, roleId, at: clock.next() })
}

/** @throws ApiError organization_slug_taken; not_found for a tenant that does not exist. */
export async function createOrganization(
  deps: Deps,
  tenantId: TenantId,
  input: NewOrganization,
  actor: Actor,
  creator?: Creator,
) {
  await getTenant(deps, tenantId)
  const id = newId<'OrganizationId'>()
  for (const slug of slugCandidates(input, id)) {
    try {
      const row = await write(deps, tenantId, { ...input, id, slug }, actor, creator)
      return presentOrganization(row, creator === undefined ? 0 : 1)
    } catch (error) {
      if (input.slug !== undefined || !isSlugTaken(error)) throw error
    }
  }
  throw new ApiError('organization_slug_taken')
}

/** Returns several organizations with their member counts, in the order of the rows. */
async function withMembers(db: Reader, tenantId: TenantId, rows: readonly queries.OrganizationRow[]) {
  const counts = await readCounters(
    db,
    tenantId,
    rows.map((row) => membersCounter(row.id)),
  )
  return rows.map((row) => presentOrganization(row, counts.get(membersCounter(row.id)) ?? 0))
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function listOrganizations(
  deps: Deps,
  tenantId: TenantId,
  query: PageQuery & CreatedRange & OrganizationFilter,
) {
  await getTenant(deps, tenantId)
  const { db } = deps
  const request = pageRequest(query)
  const found = foundOrganizations(tenantId, query)
  const range = narrowed(found ?? queries.organizationSource(tenantId), {}, [], query)
  const list = { ...range, isNarrowed: range.isNarrowed || found !== undefined }
  const { page, total } = await selectPageAndTotal(db, list, totalOf(tenantId, list, 'organizations'), request)
  const data = await withMembers(db, tenantId, page.rows)
  return pageEnvelope(page, data, total, request.perPage)
}

async function present(db: Reader, row: queries.OrganizationRow) {
  const [organization] = await withMembers(db, row.tenant_id, [row])
  if (organization === undefined) throw notFound()
  return organization
}

/** @throws ApiError not_found */
export async function getOrganization({ db }: { readonly db: Reader }, tenantId: TenantId, id: string) {
  const row = await queries.selectOrganization(db, tenantId, id)
  if (row === undefined) throw notFound()
  return present(db, row)
}

const described = ({ name, slug, image_uri, description }: queries.OrganizationRow) => ({
  name,
  slug,
  imageUri: image_uri,
  description,
})

/** @throws ApiError not_found, organization_slug_taken */
export async function updateOrganization(
  deps: Deps,
  tenantId: TenantId,
  id: string,
  input: UpdateOrganization,
  actor: Actor,
  basis: RecordBasis = {},
) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const before = await queries.selectOrganizationForUpdate(tx, tenantId, id)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    const { name = before.name, slug = before.slug } = input
    const after: queries.OrganizationRow = {
      ...before,
      name,
      slug,
      slug_key: slugKey(slug),
      search_terms: termsOfOrganization({ name, slug, slug_key: slugKey(slug) }),
      image_uri: input.imageUri === undefined ? before.image_uri : input.imageUri,
      description: input.description === undefined ? before.description : input.description,
      public_meta: metaTextOr(input.publicMeta, before.public_meta),
      private_meta: metaTextOr(input.privateMeta, before.private_meta),
      updated_at: clock.now(),
    }
    await tx.run(queries.updateOrganization(after))
    await replaceTerms(tx, organizationTerms, before, after)
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization.updated',
        actor,
        subjectId: id,
        data: { before: described(before), after: described(after) },
      }),
    )
    return present(tx, after)
  })
}

/**
 * Deletes an organization with its memberships and invitations.
 * @throws ApiError not_found
 */
export async function deleteOrganization(deps: Deps, tenantId: TenantId, id: string, actor: Actor) {
  const { db, clock, personal } = deps
  return db.transaction(async (tx) => {
    const row = await queries.selectOrganizationForUpdate(tx, tenantId, id)
    if (row === undefined) throw notFound()
    // The members are held first: one that is removed meanwhile would be subtracted twice.
    const roles = await queries.lockMemberCountsByRole(tx, tenantId, id)
    const organization = await present(tx, row)
    const counts = await readCounters(tx, tenantId, [membersCounter(id), invitationsCounter(id)])
    await deleteTerms(tx, organizationTerms, row)
    await tx.run(queries.deleteOrganization(tenantId, id))
    await tx.run(deleteOwnRoles(tenantId, id))
    await tx.run(
      addToCounters(tx, tenantId, {
        organizations: -1,
        [membersCounter(id)]: -(counts.get(membersCounter(id)) ?? 0),
        [invitationsCounter(id)]: -(counts.get(invitationsCounter(id)) ?? 0),
        ...Object.fromEntries(roles.map(({ role_id, count }) => [roleMembersCounter(role_id), -count])),
      }),
    )
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'organization.deleted',
        actor,
        subjectId: id,
        data: { before: described(row), members: organization._count.members },
      }),
    )
    return organization
  })
}

/** Returns the organizations that a user is a member of, newest membership first, each with its membership. */
export async function listOrganizationsOfUser(
  { db, clock }: Deps,
  tenantId: TenantId,
  userId: UserId,
  query: PageQuery,
) {
  const request = pageRequest(query)
  const now = clock.now()
  const list = queries.membershipSource(tenantId, userId, now)
  const { page, total } = await selectPageAndTotal(db, list, countUpTo(list, queries.membershipsCountedMax), request)
  const ids = page.rows.map((row) => row.organization_id)
  const rows = ids.length === 0 ? [] : await queries.selectOrganizations(db, tenantId, ids)
  const byId = new Map((await withMembers(db, tenantId, rows)).map((each) => [each.id, each]))
  const roleFor = await findRolesOfHolders(db, tenantId, page.rows)
  const data = page.rows.flatMap((row) => {
    const organization = byId.get(row.organization_id)
    const role = roleIdNow(row, now) === null ? undefined : roleFor(row)?.row
    return organization === undefined ? [] : [{ organization, role }]
  })
  return pageEnvelope(page, data, total, request.perPage)
}
