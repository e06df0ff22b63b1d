// A password, with any kind of identifier.
import { mustUseConnection } from '../../../enterprise/connections/sign-on-rules.ts'
import type { Deps } from '../../../identity/deps.ts'
import { takeTry } from '../../../identity/lockout/lockout.ts'
import { checkPasswordAnywhere } from '../../../identity/passwords/former-system.ts'
import { checkUserPassword, isPasswordUnchanged } from '../../../identity/passwords/passwords.ts'
import { hooksInUse } from '../../../messaging/hooks/decisions.ts'
import { invalid } from '../../../platform/http/api-error.ts'
import type { SignInFlow, Strategy } from '../../frontend/flow.ts'
import { factsOfPassword, isUnknown, migrateUser } from './migrated-password.ts'

/** Checks the password here and, if nobody has the identifier or the hash is foreign, with the tenant's former system. */
async function check(deps: Deps, flow: SignInFlow, password: string) {
  const { tenantId, identifier, identified } = flow
  const identifierKey = identifier?.key ?? ''
  const userId = identified?.userId
  // Asked whoever has the identifier: without a former system, an unknown one takes the same statements as any other.
  const hooks = await hooksInUse(deps.db, flow.call.tenant, 'password.migrate')
  const checked = await checkPasswordAnywhere(deps, flow.call.tenant, { userId, identifierKey }, password, {
    facts: factsOfPassword(flow),
    actor: flow.call.actor(userId ?? null),
    // The passwords of users who must use a connection are not sent anywhere.
    isAskable: async (user) => !(await mustUseConnection(deps.db, flow.call.tenant, user)),
  })
  if (hooks.length === 0 || userId !== undefined || !(await isUnknown(deps, flow))) return { ...checked, userId }
  const migrated = await migrateUser(deps, flow, hooks, password)
  if (migrated === undefined) return { ...checked, userId }
  return {
    ...(await checkUserPassword(deps, tenantId, { userId: migrated, identifierKey }, password)),
    userId: migrated,
  }
}

export const passwordStrategy = (
  deps: Deps,
  name: 'username_password' | 'email_password' | 'phone_password',
): Strategy => ({
  name,
  isPassword: true,
  async attempt(flow, { password }) {
    const { call, tenantId, claimant } = flow
    if (password === undefined) throw invalid('/password', 'required', 'is required for this strategy')
    await takeTry(deps, claimant, 'password', { isProvisional: true })
    const { isRight, mustChange, version, userId } = await check(deps, flow, password)
    if (!isRight || userId === undefined || version === undefined) return undefined
    const isBreached = call.tenant.auth.breachedPasswordsChanged && ((await deps.isBreached?.(password)) ?? false)
    return {
      userId,
      confirm: (tx) => isPasswordUnchanged(tx, tenantId, userId, version),
      // Looked up once the password is proven, so that nobody else learns of it.
      mustChangePassword: mustChange || isBreached,
    }
  },
})
