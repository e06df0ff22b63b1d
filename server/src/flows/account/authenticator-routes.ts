import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { type FrontendRouter, frontendRoute } from '../frontend/frontend-route.ts'
import { pageOfWhole } from '../../platform/http/list-answer.ts'
import { locate } from '../../platform/http/locate.ts'
import { type Router, route } from '../../platform/http/route.ts'
import * as codes from '../../identity/authenticators/authenticator-codes.ts'
import * as passkeys from '../../identity/authenticators/passkeys.ts'
import { listUserAuthenticators, removeUserAuthenticator } from '../../identity/authenticators/user-authenticators.ts'

export function userAuthenticatorRoutes(router: Router, deps: Deps) {
  route(router, endpoints.listUserAuthenticators, async (call) => {
    const { id } = call.params
    return listUserAuthenticators(deps, call.enter(await locate(deps.db, call, 'users', id)), id)
  })

  route(router, endpoints.deleteUserAuthenticator, async (call) => {
    const { userId, id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'users', userId))
    return removeUserAuthenticator(deps, tenantId, userId, id, call.actor)
  })
}

export function authenticatorRoutes(router: FrontendRouter) {
  const { deps } = router

  frontendRoute(router, frontendEndpoints.createAuthenticatorCode, (call) => codes.beginAuthenticatorCode(deps, call))
  frontendRoute(router, frontendEndpoints.confirmAuthenticatorCode, (call) =>
    codes.confirmAuthenticatorCode(deps, call, call.body.code),
  )
  frontendRoute(router, frontendEndpoints.deleteAuthenticatorCode, (call) => codes.removeAuthenticatorCode(deps, call))
  frontendRoute(router, frontendEndpoints.createRecoveryCodes, (call) => codes.renewRecoveryCodes(deps, call))

  frontendRoute(router, frontendEndpoints.createPasskeyOptions, async (call) => ({
    publicKeyOptions: await passkeys.passkeyOptions(deps, call),
  }))
  frontendRoute(router, frontendEndpoints.createPasskey, (call) => passkeys.addPasskey(deps, call, call.body))
  frontendRoute(router, frontendEndpoints.listPasskeys, async (call) =>
    pageOfWhole('passkeys', { items: await passkeys.listPasskeys(deps, call), order: 'oldest first' }, call.query),
  )
  frontendRoute(router, frontendEndpoints.updatePasskey, async (call) => ({
    passkey: await passkeys.renamePasskey(deps, call, call.params.id, call.body.name),
  }))
  frontendRoute(router, frontendEndpoints.deletePasskey, (call) => passkeys.removePasskey(deps, call, call.params.id))
}
