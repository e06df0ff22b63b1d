import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import * as codes from '../../identity/authenticators/authenticator-codes.ts'
import * as passkeys from '../../identity/authenticators/passkeys.ts'
import { listUserAuthenticators, removeUserAuthenticator } from '../../identity/authenticators/user-authenticators.ts'
import type { Deps } from '../../identity/deps.ts'
import { pageOfWhole } from '../../platform/http/lists/list-answer.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { Frontend } from '../frontend/frontend-steps.ts'
import { removeEarlierWays, upgradeWithin } from '../sign-up/upgrade.ts'
import { getPasskeySignals } from './passkey-signals.ts'
import * as trustedDevices from './trusted-devices.ts'

export function userAuthenticatorRoutes({ handle }: Management, deps: Deps) {
  handle(endpoints.listUserAuthenticators, ({ tenantId, params }) => listUserAuthenticators(deps, tenantId, params.id))
  handle(endpoints.deleteUserAuthenticator, ({ tenantId, params: { userId, id }, actor }) =>
    removeUserAuthenticator(deps, tenantId, userId, id, actor),
  )
}

export function authenticatorRoutes({ deps, handle }: Frontend) {
  handle(frontendEndpoints.createAuthenticatorCode, (call) => codes.beginAuthenticatorCode(deps, call))
  handle(frontendEndpoints.confirmAuthenticatorCode, (call) =>
    codes.confirmAuthenticatorCode(deps, call, call.body.code),
  )
  handle(frontendEndpoints.deleteAuthenticatorCode, (call) => codes.removeAuthenticatorCode(deps, call))
  handle(frontendEndpoints.getRecoveryCodes, async (call) => ({ left: await codes.countRecoveryCodes(deps, call) }))
  handle(frontendEndpoints.createRecoveryCodes, (call) => codes.renewRecoveryCodes(deps, call))

  handle(frontendEndpoints.createPasskeyOptions, async (call) => ({
    publicKeyOptions: await passkeys.passkeyOptions(deps, call, call.query),
  }))
  handle(frontendEndpoints.createPasskey, (call) =>
    passkeys.addPasskey(deps, call, call.body, {
      before: (tx) => removeEarlierWays(deps, tx, call),
      after: (tx) => upgradeWithin(deps, tx, call),
    }),
  )
  handle(frontendEndpoints.listPasskeys, async (call) =>
    pageOfWhole('passkeys', { items: await passkeys.listPasskeys(deps, call), order: 'oldest first' }, call.query),
  )
  handle(frontendEndpoints.getPasskeySignals, (call) => getPasskeySignals(deps, call))
  handle(frontendEndpoints.updatePasskey, async (call) => ({
    passkey: await passkeys.renamePasskey(deps, call, call.params.id, call.body.name),
  }))
  handle(frontendEndpoints.listTrustedDevices, async (call) =>
    pageOfWhole(
      'trustedDevices',
      { items: await trustedDevices.listOwnTrustedDevices(deps, call), order: 'oldest first' },
      call.query,
    ),
  )
  handle(frontendEndpoints.deleteTrustedDevice, async (call) => ({
    trustedDevice: await trustedDevices.removeOwnTrustedDevice(deps, call, call.params.id),
  }))
  handle(frontendEndpoints.deletePasskey, (call) => passkeys.removePasskey(deps, call, call.params.id))
}
