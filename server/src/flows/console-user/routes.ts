import { endpoints } from '@bailiwick/contract'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Deps } from '../../identity/deps.ts'
import { presentUser } from '../../identity/users/present.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { ConsoleUser, Principal } from '../../platform/http/credentials/principal.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { createConsoleUser } from './create-console-user.ts'
import { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations, whoAmI } from './own-invitations.ts'
import { listOwnTenants } from './own-tenants.ts'

function consoleUser(principal: Principal): ConsoleUser {
  if (principal.type !== 'console_user') throw new ApiError('forbidden')
  return principal
}

export function consoleUserRoutes({ handle }: Management, deps: Deps) {
  const { config, db } = deps

  handle(endpoints.getMeta, async () => {
    const { row, auth } = await getTenant(deps, await getConsoleTenantId(db))
    return {
      version: packageJson.version,
      environment: config.env,
      consolePublicKey: row.public_key,
      consoleSignUpEnabled: auth.signUpEnabled,
    }
  })
  handle(endpoints.createConsoleUser, async ({ body, actor }) =>
    presentUser(await createConsoleUser(deps, body, actor)),
  )
  handle(endpoints.whoAmI, async ({ principal }) => presentUser(await whoAmI(deps, consoleUser(principal))))
  handle(endpoints.listOwnTenants, ({ principal, query }) => listOwnTenants(deps, principal, query))
  handle(endpoints.listOwnInvitations, ({ principal }) => listOwnInvitations(deps, consoleUser(principal)))
  handle(endpoints.acceptOwnInvitation, ({ principal, params, actor }) =>
    acceptOwnInvitation(deps, consoleUser(principal), params.id, actor),
  )
  handle(endpoints.declineOwnInvitation, ({ principal, params, actor }) =>
    declineOwnInvitation(deps, consoleUser(principal), params.id, actor),
  )
}
