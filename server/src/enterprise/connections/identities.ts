// Who users are at the connections of their organizations.
import { readConnectionSignIns, forgetSignIns } from '../../identity/connection-sign-ins/connection-sign-ins.ts'
import type { DataPart } from '../../identity/people/export.ts'
import { findUserRow, lockUser } from '../../identity/users/find-user.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { presentUserConnection } from './present.ts'
import * as queries from './queries.ts'

async function connectionsOf({ db }: Pick<Deps, 'db'>, tenantId: TenantId, userId: UserId) {
  const identities = await queries.selectIdentitiesOfUser(db, tenantId, userId)
  const rows = await queries.selectConnectionsByIds(
    db,
    tenantId,
    identities.map((identity) => identity.connection_id),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return identities.flatMap((identity) => {
    const row = byId.get(identity.connection_id)
    return row === undefined ? [] : [presentUserConnection(identity, row)]
  })
}

/** @throws ApiError not_found for a user who does not exist. */
export async function listConnectionsOfUser(deps: Deps, tenantId: TenantId, userId: string) {
  const user = await findUserRow(deps.db, tenantId, userId)
  if (user === undefined) throw notFound()
  return connectionsOf(deps, tenantId, user.id)
}

async function* exported(deps: Deps, { row }: UserRecord) {
  yield* await connectionsOf(deps, row.tenant_id, row.id)
}

/** Both exports of a user's data show them alike. */
export const connectionsPart: DataPart = { name: 'connections', forTenant: exported, forUser: exported }

const readSignIns = (deps: Deps, { row }: UserRecord) => readConnectionSignIns(deps, row.tenant_id, row.id)

/** How the user's sessions began at such connections, with the claims that are kept. */
export const connectionSignInsPart: DataPart = {
  name: 'connectionSignIns',
  forTenant: readSignIns,
  forUser: readSignIns,
}

/** @throws ApiError not_found */
export async function deleteConnectionOfUser(
  { db, clock, personal }: Deps,
  tenantId: TenantId,
  userId: string,
  id: string,
  actor: Actor,
) {
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, tenantId, userId)
    const row = await queries.selectConnection(tx, tenantId, id)
    if (user === undefined || row === undefined) throw notFound()
    const identity = await queries.selectIdentityOfUser(tx, tenantId, user.id, id)
    if (identity === undefined) throw notFound()
    await tx.runAll([queries.deleteIdentity(identity), forgetSignIns(tenantId, user.id, row.id)])
    await tx.run(
      eventStatement(clock, personal, {
        tenantId,
        type: 'connection.identity_deleted',
        actor,
        subjectId: id,
        data: { organizationId: row.organization_id, userId: user.id },
      }),
    )
    return presentUserConnection(identity, row)
  })
}
