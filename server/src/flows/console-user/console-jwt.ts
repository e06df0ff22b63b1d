// A console user's JWT as a credential of the management interface, valid as long as the session that it was made for.
import type { Deps } from '../../identity/deps.ts'
import { sessionOfJwt } from '../../identity/session-tokens/session-of-jwt.ts'
import type { FindConsoleUser } from '../../platform/http/credentials/authenticate.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { consoleUserOf } from './console-principal.ts'

/** Finds the console user whose session a JWT was made for. */
export const consoleUserByJwtFinder =
  (deps: Deps): FindConsoleUser =>
  async (token, beforeLookUp) => {
    beforeLookUp?.()
    const tenant = await deps.tenants.byId(await getConsoleTenantId(deps.db))
    const found = tenant && (await sessionOfJwt(deps, tenant, token))
    return found === 'expired' ? undefined : consoleUserOf(found)
  }
