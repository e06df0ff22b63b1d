// What directories say about a user, as a part of the exports of all data about the user.
import type { DataPart } from '../../identity/people/export.ts'
import type { UserRecord } from '../../identity/users/present.ts'
import { fromJson } from '../../platform/json-text.ts'
import type { Deps } from '../deps.ts'
import { selectUsersOfUser } from './queries.ts'

async function* readDirectories({ db }: Deps, { row: { tenant_id: tenantId, id } }: UserRecord) {
  for (const row of await selectUsersOfUser(db, tenantId, id)) {
    yield {
      connectionId: row.connection_id,
      organizationId: row.organization_id,
      active: row.active === 1,
      attributes: fromJson(row.attributes),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
}

export const directoriesPart: DataPart = {
  name: 'directories',
  forTenant: readDirectories,
  forUser: readDirectories,
}
