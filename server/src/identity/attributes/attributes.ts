// Changes the attributes that a tenant gives its users, and counts what a change would mean for them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AttributesPreview, TenantAttributes, UpdateAttributes } from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'
import type { DocumentBasis } from '../../platform/http/change-basis.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { fromJson } from '../../platform/json-text.ts'
import { attributeIssues, attributesVersions, presentAttributes } from '../../tenancy/tenants/attributes/document.ts'
import { isLacking, metaIssues, valuesIn } from '../../tenancy/tenants/attributes/values.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { restoreVersion, writeVersion } from '../../tenancy/tenants/versions/versions.ts'
import type { Deps } from '../deps.ts'
import { selectMetaBefore } from '../users/user-records.ts'

/** @throws ApiError not_found */
export const getAttributes = async (deps: Deps, tenantId: TenantId): Promise<TenantAttributes> =>
  presentAttributes(deps.db, (await getTenant(deps, tenantId)).row)

/**
 * Replaces the attributes. An empty change makes no version.
 * @throws ApiError not_found; changed_meanwhile; validation_failed with every reason.
 */
export async function putAttributes(
  deps: Deps,
  tenantId: TenantId,
  { attributes }: UpdateAttributes,
  actor: Actor,
  basis?: DocumentBasis,
): Promise<TenantAttributes> {
  const { row } = await writeVersion(deps, attributesVersions, tenantId, actor, () => ({ attributes }), basis)
  return presentAttributes(deps.db, row)
}

/**
 * Goes back to a version of the attributes, as a new one.
 * @throws ApiError not_found; validation_failed if it would not be allowed today.
 */
export async function restoreAttributes(deps: Deps, tenantId: TenantId, version: number, actor: Actor) {
  const { row } = await restoreVersion(deps, attributesVersions, tenantId, version, actor)
  return presentAttributes(deps.db, row)
}

const usersMax = 10_000
const usersPerRead = 500

/** @throws ApiError not_found; validation_failed with every reason for which the attributes could not be stored. */
export async function previewAttributes(
  deps: Deps,
  tenantId: TenantId,
  wanted: UpdateAttributes,
): Promise<AttributesPreview> {
  await getTenant(deps, tenantId)
  const issues = attributeIssues(wanted)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  const counts = wanted.attributes.map((attribute) => ({ attribute, lacking: 0, breaking: 0 }))
  let users = 0
  let before: string | undefined
  for (;;) {
    const rows = await selectMetaBefore(deps.db, tenantId, before, usersPerRead)
    for (const row of rows) {
      const values = valuesIn(fromJson(row.public_meta))
      for (const count of counts) {
        if (isLacking(count.attribute, values)) count.lacking++
        else if (metaIssues([count.attribute], values).length > 0) count.breaking++
      }
    }
    users += rows.length
    before = rows.at(-1)?.created_at
    const isWhole = rows.length < usersPerRead
    if (isWhole || users >= usersMax) {
      return {
        users,
        isWhole,
        attributes: counts.map(({ attribute: { key }, lacking, breaking }) => ({ key, lacking, breaking })),
      }
    }
    // On SQLite nothing here ever waits for I/O, so other requests would not get a turn.
    await nextTurn()
  }
}
