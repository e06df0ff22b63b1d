// A user's keys, as a part of the exports of all data about the user. The keys themselves are not stored.
import type { DataPart } from '../../identity/people/export.ts'
import { presentUserApiKey } from './present.ts'
import { selectKeysOfUser } from './queries.ts'

async function* readKeys(...[{ db }, { row }]: Parameters<DataPart['forTenant']>) {
  yield* (await selectKeysOfUser(db, row.tenant_id, row.id)).map(presentUserApiKey)
}

export const apiKeysPart: DataPart = { name: 'apiKeys', forTenant: readKeys, forUser: readKeys }
