// Lets an administrator back in who has lost the password or the second factor of the account at the console.
import { randomBytes } from 'node:crypto'
import { emailKey } from '@bailiwick/contract'
import { resetAccess } from '../../identity/people/user-changes.ts'
import { findUserByEmail } from '../../identity/users/find-user.ts'
import type { Config } from '../../platform/config.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { getConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { writing } from '../open-deployment.ts'
import { CommandRefused, type Outcome } from '../outcome.ts'

const actor: Actor = { type: 'operator', id: null, ip: null, ua: null }

/** Gives the account a password for one sign-in, and removes its authenticators, recovery codes, sessions and locks. */
export const resetAdministrator = (config: Config, { email }: { readonly email: string }): Promise<Outcome> =>
  writing(config, async (deps) => {
    const tenantId = await getConsoleTenantId(deps.db)
    const user = await findUserByEmail(deps.db, tenantId, emailKey(email))
    if (user === undefined) {
      throw new CommandRefused(`nobody at the console has the address ${email}: see bailiwick create-administrator`)
    }
    const password = randomBytes(15).toString('base64url')
    const { status } = (await resetAccess(deps, tenantId, user.id, password, actor)).row
    const note = status === 'active' ? [] : [`The account is ${status}: another administrator has to reactivate it.`]
    return {
      text: [
        `${email} signs in once with the password ${password}, and then has to choose another.`,
        'Authenticators, recovery codes and sessions of the account are removed.',
        ...note,
      ].join('\n'),
      json: { userId: user.id, email, password, status },
    }
  })
