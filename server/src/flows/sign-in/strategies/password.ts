// A password, with any kind of identifier.
import type { Deps } from '../../../identity/deps.ts'
import { takeTry } from '../../../identity/lockout/lockout.ts'
import { checkUserPassword, isPasswordUnchanged } from '../../../identity/passwords/passwords.ts'
import { invalid } from '../../../platform/http/api-error.ts'
import type { Strategy } from '../../frontend/flow.ts'

export const passwordStrategy = (
  deps: Deps,
  name: 'username_password' | 'email_password' | 'phone_password',
): Strategy => ({
  name,
  isPassword: true,
  async attempt({ call, tenantId, identifier, identified, claimant }, { password }) {
    if (password === undefined) throw invalid('/password', 'required', 'is required for this strategy')
    await takeTry(deps, claimant, 'password', { isProvisional: true })
    const userId = identified?.userId
    const { isRight, mustChange, version } = await checkUserPassword(
      deps,
      tenantId,
      { userId, identifierKey: identifier?.key ?? '' },
      password,
    )
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
