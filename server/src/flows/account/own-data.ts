// All data about the signed-in user.
import type { Deps } from '../../identity/deps.ts'
import { type DataPart, exportOwnUserData } from '../../identity/people/export.ts'
import { assertFresh } from '../../identity/sessions/fresh-session.ts'
import { getUser } from '../../identity/users/users.ts'
import { DataStream } from '../../platform/http/answer.ts'
import type { AnyCall } from '../frontend/flow.ts'

/** @throws ApiError reauthentication_required */
export async function exportOwnData(
  deps: Deps,
  { signedIn, tenantId }: AnyCall,
  parts: readonly DataPart[],
): Promise<DataStream> {
  assertFresh(deps, signedIn)
  return new DataStream(exportOwnUserData(deps, await getUser(deps, tenantId, signedIn.row.user_id), parts))
}
