'use client'
// Signing in and up: links to the hosted pages, or forms in the page, whose code is loaded when they are first shown.
import { type ReactNode, Suspense, lazy } from 'react'
import { useLook } from './look.ts'
import { PageLink, type PageLinkProps } from './page-links.tsx'
import { useBailiwick } from './provider.tsx'
import { usePageAddress, useReturnAddress } from './return-address.ts'

export interface SignInProps extends PageLinkProps {
  /**
   * The address to which the browser goes afterwards, such as `/welcome` of your app. The tenant's sign-in rules must list it as a whole.
   * Without it, the rules decide (`signInRedirectUri`, `signUpRedirectUri`, `homeUri`).
   */
  readonly redirectTo?: string | undefined
  /** Shows a form in the page instead of a link. A provider with `tokens` always does so, because hosted pages cannot store them. */
  readonly embedded?: boolean | undefined
  /** Called when an embedded form has signed somebody in. */
  readonly onSignedIn?: (() => void) | undefined
}

const SignInForm = lazy(() => import('./embedded/sign-in-form.tsx').then((module) => ({ default: module.SignInForm })))
const SignUpForm = lazy(() => import('./embedded/sign-up-form.tsx').then((module) => ({ default: module.SignUpForm })))

function Waiting({ appearance }: Pick<PageLinkProps, 'appearance'>) {
  const { classes, style } = useLook(appearance)
  return <div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />
}

/** Servers render only an empty place for the form, because only the browser knows what it has to ask for. */
function Embedded({ appearance, children }: Pick<PageLinkProps, 'appearance'> & { readonly children: ReactNode }) {
  const waiting = <Waiting appearance={appearance} />
  return usePageAddress() === undefined ? waiting : <Suspense fallback={waiting}>{children}</Suspense>
}

/**
 * A link to the hosted page for signing in, which returns to the app; with `embedded`, the form itself.
 * @example
 * ```tsx
 * import { SignIn } from '@bailiwick/react'
 *
 * export const SignInPage = () => <SignIn embedded redirectTo="/dashboard" />
 * ```
 */
export function SignIn({ embedded, onSignedIn, redirectTo, ...props }: SignInProps) {
  const { isByTokens, pages, texts } = useBailiwick()
  const back = useReturnAddress(redirectTo)
  if (!(embedded ?? isByTokens)) return <PageLink {...props} href={pages.signIn(back)} label={texts.signIn} isPrimary />
  return (
    <Embedded appearance={props.appearance}>
      <SignInForm appearance={props.appearance} redirectTo={back} onSignedIn={onSignedIn} />
    </Embedded>
  )
}

/**
 * A link to the hosted page for signing up, which returns to the app; with `embedded`, the form itself.
 * @example
 * ```tsx
 * import { SignUp } from '@bailiwick/react'
 *
 * export const SignUpLink = () => <SignUp redirectTo="/welcome" />
 * ```
 */
export function SignUp({ embedded, onSignedIn, redirectTo, ...props }: SignInProps) {
  const { isByTokens, pages, texts } = useBailiwick()
  const back = useReturnAddress(redirectTo)
  if (!(embedded ?? isByTokens)) return <PageLink {...props} href={pages.signUp(back)} label={texts.signUp} />
  return (
    <Embedded appearance={props.appearance}>
      <SignUpForm appearance={props.appearance} redirectTo={back} onSignedIn={onSignedIn} />
    </Embedded>
  )
}
