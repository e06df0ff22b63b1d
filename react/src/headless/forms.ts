'use client'
// Signing in and up without a look: the steps, for forms of the app's own.
import type { PublicTenant } from '@bailiwick/contract'
import type { BailiwickFrontendOptions } from '@bailiwick/sdk/frontend'
import { useEffect } from 'react'
import { useFormLook } from '../embedded/form-look.ts'
import { type EmbeddedFormProps, useArrival } from '../embedded/props.ts'
import { type SignInFlow, useSignIn } from '../embedded/steps/use-sign-in.ts'
import { useSignUp } from '../embedded/steps/use-sign-up.ts'
import { useSnapshot } from '../hooks.ts'
import { useBailiwick } from '../provider.tsx'

export type { Problems } from '../embedded/problems.ts'
export {
  type SecondWay,
  type SignInFlow,
  type SignInStep,
  findSecondWays,
  findWays,
} from '../embedded/steps/use-sign-in.ts'
export type { Work } from '../embedded/use-work.ts'

export interface FormOptions {
  /** The address to which the browser goes afterwards; the tenant's sign-in rules must list it. Without it the page stays. */
  readonly redirectTo?: string | undefined
  /** Called once somebody is signed in. */
  readonly onSignedIn?: (() => void) | undefined
}

/**
 * Signs a user in, step by step: `step` says what to ask for, and the other functions answer. Errors are in `work.problems`, as sentences beside
 * the names of fields.
 * @example
 * ```tsx
 * import { useSignInForm } from '@bailiwick/react/forms'
 *
 * export function Start() {
 *   const { begin, step } = useSignInForm({ redirectTo: '/' })
 *   return <button onClick={() => void begin('ada@example.com')}>{step.at}</button>
 * }
 * ```
 */
export function useSignInForm({ onSignedIn, redirectTo }: FormOptions = {}): SignInFlow {
  const { texts } = useFormLook(undefined)
  return useSignIn(texts, useArrival({ onSignedIn, redirectTo }), redirectTo)
}

export type SignUpFlow = ReturnType<typeof useSignUp>

/**
 * Signs a user up: `fields` and `attributes` are still to be filled in, and `contact` waits for the code that was sent to it.
 * @param tenant what `useTenant` returns.
 * @example
 * ```tsx
 * import { useSignUpForm, useTenant } from '@bailiwick/react/forms'
 *
 * function Fields({ tenant }: { tenant: NonNullable<ReturnType<typeof useTenant>> }) {
 *   const { fields } = useSignUpForm(tenant)
 *   return <p>{fields.join(', ')}</p>
 * }
 *
 * export function SignUp() {
 *   const tenant = useTenant()
 *   return tenant === undefined ? null : <Fields tenant={tenant} />
 * }
 * ```
 */
export function useSignUpForm(
  tenant: PublicTenant,
  options: Pick<EmbeddedFormProps, 'redirectTo' | 'onSignedIn'> = {},
): SignUpFlow {
  const { texts } = useFormLook(undefined)
  return useSignUp({ tenant, texts, ...options })
}

/** Returns what the tenant shows to everybody: its name, brand, sign-in rules and providers. Undefined until it has been fetched. */
export function useTenant(): PublicTenant | undefined {
  const { store } = useBailiwick()
  const tenant = useSnapshot((snapshot) => snapshot.tenant)
  useEffect(() => {
    // The next component or the next visit tries again.
    store.loadTenant().catch(() => undefined)
  }, [store])
  return tenant
}

/** Returns the options with which `createFrontendClient` of `@bailiwick/sdk/frontend` calls the service in the session of the provider. */
export const useConnection = (): BailiwickFrontendOptions => useBailiwick().store.connection
