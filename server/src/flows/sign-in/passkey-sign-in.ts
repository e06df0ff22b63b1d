// Signing in with a passkey before there is an attempt: a page offers it as soon as it is opened, but most people then sign in another way.
// The challenge belongs to the browser, and the attempt is written with the answer.
import type { SignInAnswer } from '@bailiwick/contract'
import type { Deps } from '../../identity/deps.ts'
import { destinationOf } from '../frontend/destinations.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { beginUnwritten, prove } from './sign-ins.ts'
import { securityKeyStrategy } from './strategies/security-key.ts'

const strategy = 'security_key'

/**
 * Returns the options for `navigator.credentials.get()`.
 * @throws ApiError sign_in_disabled, strategy_unavailable
 */
export async function passkeyOptionsOfBrowser(deps: Deps, call: AnyCall) {
  const { flow, given } = beginUnwritten(deps, call, { strategy, redirectUri: null })
  return { ...(await securityKeyStrategy(deps, 'first').prepare?.(flow, {})), ...given }
}

/** @throws ApiError sign_in_disabled, strategy_unavailable, redirect_refused, factor_refused … */
export async function createPasskeySignIn(
  deps: Deps,
  call: AnyCall,
  { credential, redirectUri }: { readonly credential: unknown; readonly redirectUri?: string },
): Promise<SignInAnswer> {
  const { flow, given } = beginUnwritten(deps, call, {
    strategy,
    redirectUri: destinationOf(deps, call, redirectUri),
  })
  return { ...(await prove(deps, flow, 'first', { strategy, credential })), ...given }
}
