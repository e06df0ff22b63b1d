'use client'
// Signing in and up: links to the hosted pages, or forms in the page, whose code is loaded when they are first shown.
import { Suspense, lazy } from 'react'
import { useLook } from './look.ts'
import { PageLink, type PageLinkProps } from './page-links.tsx'
import { useBailiwick } from './provider.tsx'
import { readInvitationToken, usePageAddress, useReturnAddress } from './return-address.ts'

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

const Forms = lazy(() => import('./embedded/forms.tsx').then((module) => ({ default: module.Forms })))

function Waiting({ appearance }: Pick<PageLinkProps, 'appearance'>) {
  const { classes, style } = useLook(appearance)
  return <div className={classes('bw bw-card', 'card')} style={style} aria-busy="true" />
}

interface EitherProps extends SignInProps {
  readonly isSignUp?: boolean
}

/** A link or a form. Servers render only an empty place for the form, because only the browser knows what it has to ask for. */
function Either({ embedded, isSignUp = false, onSignedIn, redirectTo, ...props }: EitherProps) {
  const { isByTokens, pages, texts } = useBailiwick()
  const back = useReturnAddress(redirectTo)
  const page = usePageAddress()
  if (embedded ?? isByTokens) {
    const { appearance } = props
    const waiting = <Waiting appearance={appearance} />
    if (page === undefined) return waiting
    return (
      <Suspense fallback={waiting}>
        <Forms {...{ appearance, isSignUp, onSignedIn, redirectTo: back }} />
      </Suspense>
    )
  }
  const name = isSignUp ? 'signUp' : 'signIn'
  const token = page && readInvitationToken(page)
  const href = token ? pages.invitation(token) : pages[name](back)
  return <PageLink {...props} href={href} label={texts[name]} isPrimary={!isSignUp} />
}

/**
 * A link to the hosted page for signing in, which returns to the app; with `embedded`, the form itself. On a page to which the link of an
 * invitation leads, it carries the invitation on.
 * @example
 * ```tsx
 * import { SignIn } from '@bailiwick/react'
 *
 * export const SignInPage = () => <SignIn embedded redirectTo="/dashboard" />
 * ```
 */
export const SignIn = (props: SignInProps) => <Either {...props} />

/**
 * A link to the hosted page for signing up, which returns to the app; with `embedded`, the form itself.
 * @example
 * ```tsx
 * import { SignUp } from '@bailiwick/react'
 *
 * export const SignUpLink = () => <SignUp redirectTo="/welcome" />
 * ```
 */
export const SignUp = (props: SignInProps) => <Either {...props} isSignUp />
