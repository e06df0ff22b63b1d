import { endpoints } from '@bailiwick/contract'
import type { Transaction } from '../../platform/db/database.ts'
import { invalid } from '../../platform/http/api-error.ts'
import { assertUnchanged } from '../../platform/http/change-basis.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Deps } from '../deps.ts'
import { inviteByDomain } from '../organizations/automatic-invitation.ts'
import { type UserRecord, presentUser } from '../users/present.ts'
import { listUsers } from '../users/user-list.ts'
import { createUser, getUser } from '../users/users.ts'
import { emailAddressRoutes, phoneNumberRoutes } from './contact-routes.ts'
import type { DataPart } from './export.ts'
import { transferRoutes } from './transfer-routes.ts'
import * as changes from './user-changes.ts'
import { deleteUser } from './user-deletion.ts'

/** @param dataParts what wings above know about a person, for the export of all data about one. */
export function userRoutes(management: Management, deps: Deps, dataParts: readonly DataPart[]) {
  const { handle } = management

  handle(endpoints.createUser, async ({ tenantId, input, actor }) => {
    if (input.emailVerified === true && input.email === undefined) {
      throw invalid('/email', 'required', 'is required for an address that is verified')
    }
    if (input.emailVerified !== true) return presentUser(await createUser(deps, tenantId, input, actor))
    const invited = (tx: Transaction, { row: { id: userId }, emailAddresses: [address] }: UserRecord) =>
      inviteByDomain(deps, tx, { tenantId, userId, email: address?.email ?? '' }, actor)
    return presentUser(await createUser(deps, tenantId, input, actor, invited))
  })
  handle(endpoints.listUsers, ({ tenantId, query }) => listUsers(deps, tenantId, query))
  handle(endpoints.getUser, async ({ tenantId, params }) => ({
    status: 'success' as const,
    data: presentUser(await getUser(deps, tenantId, params.id)),
  }))
  handle(endpoints.updateUser, async ({ tenantId, params, body, query, actor }) =>
    presentUser(
      await changes.updateUser(deps, tenantId, params.id, body, actor, async (_tx, before) =>
        assertUnchanged(before, query),
      ),
    ),
  )
  handle(endpoints.deleteUser, async ({ tenantId, params: { id }, actor }) => {
    await deleteUser(deps, tenantId, id, actor)
    return { id }
  })
  handle(endpoints.changeUserPassword, async ({ tenantId, params, body, actor }) =>
    presentUser(await changes.changeUserPassword(deps, tenantId, params.id, body, actor)),
  )
  handle(endpoints.suspendUser, async ({ tenantId, params, actor }) =>
    presentUser(await changes.suspendUser(deps, tenantId, params.id, actor)),
  )
  handle(endpoints.unsuspendUser, async ({ tenantId, params, actor }) =>
    presentUser(await changes.unsuspendUser(deps, tenantId, params.id, actor)),
  )
  handle(endpoints.unlockUser, async ({ tenantId, params, actor }) =>
    presentUser(await changes.unlockUser(deps, tenantId, params.id, actor)),
  )

  emailAddressRoutes(management, deps)
  phoneNumberRoutes(management, deps)
  transferRoutes(management, deps, dataParts)
}
