import { endpoints } from '@bailiwick/contract'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Deps } from '../../identity/deps.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { ConsoleUser, Principal } from '../../platform/http/principal.ts'
import { type Router, route } from '../../platform/http/route.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { presentUser } from '../../identity/users/present.ts'
import { createConsoleUser } from './create-console-user.ts'
import { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations, whoAmI } from './own-invitations.ts'
import { listOwnTenants } from './own-tenants.ts'

function consoleUser(principal: Principal): ConsoleUser {
  if (principal.type !== 'console_user') throw new ApiError('forbidden')
  return principal
}

export function consoleUserRoutes(router: Router, deps: Deps) {
  const { config, db } = deps

  route(router, endpoints.getMeta, async () => {
    const { row, auth } = await getTenant(deps, await getConsoleTenantId(db))
    return {
      version: packageJson.version,
      environment: config.env,
      consolePublicKey: row.public_key,
      consoleSignUpEnabled: auth.signUpEnabled,
    }
  })

  route(router, endpoints.createConsoleUser, async (call) =>
    presentUser(await createConsoleUser(deps, call.body, call.actor)),
  )

  route(router, endpoints.whoAmI, async (call) => presentUser(await whoAmI(deps, consoleUser(call.principal))))

  route(router, endpoints.listOwnTenants, async (call) => listOwnTenants(deps, consoleUser(call.principal), call.query))

  route(router, endpoints.listOwnInvitations, async (call) => listOwnInvitations(deps, consoleUser(call.principal)))

  route(router, endpoints.acceptOwnInvitation, async (call) =>
    acceptOwnInvitation(deps, consoleUser(call.principal), call.params.id, call.actor),
  )

  route(router, endpoints.declineOwnInvitation, async (call) =>
    declineOwnInvitation(deps, consoleUser(call.principal), call.params.id, call.actor),
  )
}
