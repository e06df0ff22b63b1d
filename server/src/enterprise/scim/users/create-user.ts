import { decidedTransaction } from '../../../messaging/hooks/decisions.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { eventStatement } from '../../../platform/events/append.ts'
import { newId } from '../../../platform/ids.ts'
import { toJson } from '../../../platform/json-text.ts'
import type { Deps } from '../../deps.ts'
import { holdDirectory, takePlace, userPlaces } from '../directory.ts'
import type { ScimPlace } from '../place.ts'
import { ScimError } from '../protocol/scim-error.ts'
import type { Attributes } from '../protocol/values.ts'
import * as queries from '../queries.ts'
import { derivedColumns } from './derived.ts'
import { deprovision, provision } from './membership.ts'
import { accountFor } from './whose-account.ts'
import { writeMapped } from './write-attributes.ts'

const taken = () => new ScimError(409, 'The directory has provisioned a user with this userName already.', 'uniqueness')

/** @throws ScimError uniqueness if another user of the connection has the name. */
export async function assertNameFree(tx: Transaction, place: ScimPlace, key: string, ownId?: string) {
  const row = await queries.selectUserByName(tx, place.tenantId, place.connection.id, key)
  if (row !== undefined && row.id !== ownId) throw taken()
}

/** The attributes as they are stored: whether the user is active has a column of its own. */
export function withoutActive({ active, ...rest }: Attributes) {
  return { isActive: active !== false, stored: rest as Attributes }
}

/**
 * Provisions a user: finds or makes the account, and makes it a member of the connection's organization.
 * @throws ScimError invalidValue, uniqueness; ApiError membership_limit_reached
 */
export async function createScimUser(deps: Deps, place: ScimPlace, attributes: Attributes): Promise<queries.UserRow> {
  const { clock, personal } = deps
  const { tenantId, connection, actor } = place
  const { isActive, stored } = withoutActive(attributes)
  const derived = derivedColumns(stored)
  return decidedTransaction(deps, tenantId, async (tx) => {
    const directory = await holdDirectory(tx, place)
    await assertNameFree(tx, place, derived.user_name_key)
    const { userId, isNew } = await accountFor(deps, tx, place, stored)
    if ((await queries.selectByAccount(tx, tenantId, connection.id, userId)) !== undefined) throw taken()
    const at = clock.next()
    const row: queries.UserRow = {
      tenant_id: tenantId,
      id: newId<'ScimUserId'>(),
      connection_id: connection.id,
      organization_id: connection.organization_id,
      user_id: userId,
      place: await takePlace(tx, userPlaces, directory),
      ...derived,
      active: Number(isActive),
      owns_profile: Number(isNew),
      suspended: 0,
      attributes: toJson(stored),
      version: 1,
      created_at: at,
      updated_at: at,
    }
    await tx.run(queries.insertUser(row))
    if (isNew) await writeMapped(deps, tx, place, { userId, before: {}, after: stored })
    const after = isActive
      ? await provision(deps, tx, place, row, isNew)
      : await deprovision(deps, tx, place, row, 'deactivated')
    if (after.suspended !== row.suspended) await tx.run(queries.updateUser(after))
    const { organization_id: organizationId, id: connectionId } = connection
    const data = { organizationId, connectionId, userId, active: isActive }
    await tx.run(
      eventStatement(clock, personal, { tenantId, type: 'scim_user.created', actor, subjectId: row.id, data }),
    )
    return after
  })
}
