// Changes, deletes and restores tenants. A deleted tenant is gone for everybody at once, and kept for 30 days.
import { type UpdateTenant, foldCase, slugKey } from '@bailiwick/contract'
import { invalidateTenant } from '../../platform/cache/invalidation.ts'
import { addMilliseconds } from '../../platform/clock.ts'
import type { Reader, Transaction } from '../../platform/db/database.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { invalid, notFound } from '../../platform/http/api-error.ts'
import { type RecordBasis, assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'
import { type ShownName, shownAddress } from './shown-address.ts'
import { tenants as tenantRows } from './tables.ts'
import type { TenantEntry } from './tenant-entry.ts'
import { getTenant } from './tenants.ts'

export const restorableMs = 30 * 24 * 60 * 60 * 1000

const described = ({ name, slug, icon_id, logo_id }: queries.TenantRow) => ({
  name,
  slug,
  iconId: icon_id,
  logoId: logo_id,
})

/** Finds a file of the tenant and whether it is public. */
export type FindFile = (db: Reader, tenantId: TenantId, id: string) => Promise<{ readonly access: string } | undefined>

type Shown = readonly [id: string | null, uri: string | null]

/**
 * Checks that a file belongs to the tenant and may be shown to everybody.
 * @throws ApiError validation_failed
 */
export async function assertShowable(name: ShownName, find: () => ReturnType<FindFile>): Promise<void> {
  const file = await find()
  if (file === undefined) throw invalid(`/${name}`, 'unknown_reference', 'is not a file of this tenant')
  if (file.access !== 'public') throw invalid(`/${name}`, 'not_public', 'must be a public file')
}

/** The columns of the tenant that name a file. */
async function shownFile(
  { config }: Deps,
  tenantId: TenantId,
  name: ShownName,
  id: string,
  find: () => ReturnType<FindFile>,
) {
  await assertShowable(name, find)
  return [id, shownAddress(config, tenantId, name, id)] as const
}

/**
 * @param findFile looks icon and logo up.
 * @throws ApiError not_found, slug_taken; validation_failed for an icon or logo that is not a public file of the tenant.
 */
export async function updateTenant(
  deps: Deps,
  tenantId: TenantId,
  input: UpdateTenant,
  actor: Actor,
  findFile: FindFile,
  basis: RecordBasis = {},
): Promise<TenantEntry> {
  const { db, clock, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const before = await queries.selectTenantForUpdate(tx, tenantId)
    if (before === undefined) throw notFound()
    assertUnchanged(before, basis)
    const { icon_id, icon_uri, logo_id, logo_uri } = before
    const shown = async (name: Exclude<ShownName, 'darkLogoId'>, old: Shown): Promise<Shown> => {
      const id = input[name]
      if (id === undefined) return old
      return id === null ? [null, null] : shownFile(deps, tenantId, name, id, () => findFile(tx, tenantId, id))
    }
    const icon = await shown('iconId', [icon_id, icon_uri])
    const logo = await shown('logoId', [logo_id, logo_uri])
    const { name = before.name, slug = before.slug } = input
    const after: queries.TenantRow = {
      ...before,
      name,
      name_key: foldCase(name),
      slug,
      slug_key: slugKey(slug),
      icon_id: icon[0],
      icon_uri: icon[1],
      logo_id: logo[0],
      logo_uri: logo[1],
      updated_at: clock.now(),
    }
    await tx.run(tenantRows.rewrite(after))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.updated',
        actor,
        subjectId: tenantId,
        data: { before: described(before), after: described(after) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return getTenant(deps, tenantId)
}

const setDeletedAt = tenantRows.update('deleted_at', 'updated_at')

/** @throws ApiError not_found; the console's own tenant cannot be deleted and is not found. */
export async function deleteTenant(deps: Deps, tenantId: TenantId, actor: Actor): Promise<true> {
  const { db, clock, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const row = await queries.selectTenantForUpdate(tx, tenantId)
    if (row === undefined || row.kind === 'console') throw notFound()
    const at = clock.now()
    await tx.run(setDeletedAt({ id: tenantId, deleted_at: at, updated_at: at }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.deleted',
        actor,
        subjectId: tenantId,
        data: { erasedAfter: addMilliseconds(at, restorableMs) },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return true
}

/** Makes sure that the creator of a tenant may have one more. */
export type CheckLimit = (tx: Transaction, creatorId: string) => Promise<void>

/**
 * Restores a deleted tenant; a tenant that is not deleted stays unchanged.
 * @throws ApiError not_found for a tenant that was deleted more than 30 days ago; tenant_limit_reached if its creator has others.
 */
export async function restoreTenant(
  deps: Deps,
  tenantId: TenantId,
  actor: Actor,
  checkLimit: CheckLimit,
): Promise<TenantEntry> {
  const { db, clock, personal, tenants } = deps
  await db.transaction(async (tx) => {
    const at = clock.now()
    if (actor.type !== 'operator') {
      // The creator is held before the tenant, in the order of the other operations.
      const deleted = await queries.selectDeletedTenant(tx, tenantId)
      const creatorId = deleted?.creator_id ?? null
      if (creatorId !== null) await checkLimit(tx, creatorId)
    }
    const row = await queries.selectDeletedTenantForUpdate(tx, tenantId)
    if (row?.deleted_at === undefined || row.deleted_at === null) return
    if (row.deleted_at <= addMilliseconds(at, -restorableMs)) throw notFound()
    await tx.run(setDeletedAt({ id: tenantId, deleted_at: null, updated_at: at }))
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'tenant.restored',
        actor,
        subjectId: tenantId,
        data: { deletedAt: row.deleted_at },
      }),
    )
    await invalidateTenant(tx, tenants, tenantId)
  })
  return getTenant(deps, tenantId)
}
