// A code of the user's authenticator app, or one of the recovery codes that replace it.
import { takeCodeQuota, useAuthenticatorCode } from '../../../identity/authenticators/authenticator-codes.ts'
import { isRecoveryShaped } from '../../../identity/authenticators/recovery-codes.ts'
import { loadTotp } from '../../../identity/authenticators/totp.ts'
import type { Deps } from '../../../identity/deps.ts'
import { knownDevice, takeTry } from '../../../identity/lockout/lockout.ts'
import { ApiError, invalid } from '../../../platform/http/api-error.ts'
import type { Strategy } from '../../frontend/flow.ts'

export const authenticatorCodeStrategy = (deps: Deps): Strategy => ({
  name: 'authenticator_code',
  async attempt({ call, tenantId, attempt, claimant }, { code }) {
    if (code === undefined) throw invalid('/code', 'required', 'is required for this strategy')
    // It may have been switched off since the first factor.
    if (!call.tenant.auth.strategyAuthenticatorCodeEnabled) throw new ApiError('strategy_unavailable')
    const { user_id: userId } = attempt
    if (userId === null) return undefined
    // A recovery code is too long to be guessed, so it works even if somebody has used up the guesses at the app's codes.
    if (!isRecoveryShaped(code)) {
      await takeTry(deps, claimant, 'second')
      const device = await knownDevice(deps.db, claimant)
      await takeCodeQuota(deps, tenantId, device === undefined ? userId : `${userId}:${device}`)
    }
    const totp = await loadTotp()
    const owner = { tenantId, userId, actor: call.actor(userId) }
    return { userId, confirm: (tx) => useAuthenticatorCode(deps, tx, totp, owner, code) }
  },
})
