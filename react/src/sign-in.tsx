'use client'
// Signing in and up: links to the hosted pages, or forms in the page, which are loaded when they are first shown.
import { type ReactNode, Suspense, lazy } from 'react'
import { useLook } from './look.ts'
import { PageLink, type PageLinkProps } from './page-links.tsx'
import { useBailiwick } from './provider.tsx'
import { usePageAddress, useReturnAddress } from './return-address.ts'

export interface SignInProps extends PageLinkProps {
  /**
   * Where the browser ends, such as `/welcome` of the own page. The tenant's sign-in rules have to list the whole address; unless given,
   * they decide themselves (`signInRedirectUri`, `signUpRedirectUri`, `homeUri`).
   */
  readonly redirectTo?: string | undefined
  /** Shows a form in the page instead of a link. Always so for a provider with `tokens`, which hosted pages cannot fill. */
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

/** Servers render the place of the form alone: who is asked what is known in the browser. */
function Embedded({ appearance, children }: Pick<PageLinkProps, 'appearance'> & { readonly children: ReactNode }) {
  const waiting = <Waiting appearance={appearance} />
  return usePageAddress() === undefined ? waiting : <Suspense fallback={waiting}>{children}</Suspense>
}

/** Leads to the hosted page on which people sign in, and from there back; with `embedded` they sign in here. */
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

/** Leads to the hosted page on which people sign up, and from there back; with `embedded` they sign up here. */
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
