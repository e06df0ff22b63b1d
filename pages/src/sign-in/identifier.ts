// The first page: the identifier of the person who signs in, or the choice of a provider.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, field, notice } from '../parts/field.ts'
import { button, divider, form, link } from '../parts/form.ts'
import { identifierLabel, identifierInput, type IdentifierKinds } from '../parts/identifier.ts'
import { type PasskeyUpkeep, upkeepScript } from '../parts/passkey-upkeep.ts'
import { passkeyForm } from '../parts/passkey.ts'
import { type ShownProvider, providerButtons } from '../parts/providers.ts'
import { withAddress } from '../parts/who.ts'

export interface IdentifierView {
  /** The identifiers that people may use; empty if there are only providers or passkeys. */
  readonly kinds: IdentifierKinds
  readonly value?: string
  readonly errors?: FieldErrors
  readonly providers: readonly ShownProvider[]
  readonly hasPasskeys: boolean
  readonly canSignUp: boolean
  /** While nobody can sign up: whether visitors can leave their address on a waiting list. */
  readonly canJoinWaitlist?: boolean
  readonly redirectTo?: string | undefined
  /** Whether somebody wants another way in than the connection of the organization. */
  readonly isOtherWayWanted?: boolean
  /** The application that asked for the sign-in. */
  readonly application?: string | undefined
  /** Whether the application wants another account than the one that is signed in. */
  readonly isAnotherWanted?: boolean
  /** What the password manager is told after a passkey that does not exist. */
  readonly upkeep?: PasskeyUpkeep | undefined
}

export function identifierPage(frame: Frame, view: IdentifierView): string {
  const { text } = frame
  const {
    kinds,
    value,
    errors = {},
    providers,
    hasPasskeys,
    canSignUp,
    redirectTo,
    application,
    isAnotherWanted = false,
  } = view
  const hasIdentifier = kinds.email || kinds.phone || kinds.username
  const title = text('signIn.title')
  const query = redirectTo === undefined ? '' : `?${new URLSearchParams({ redirect_to: redirectTo }).toString()}`
  const byIdentifier = form(
    frame,
    { to: '/sign-in', hidden: { redirectTo, ...(view.isOtherWayWanted === true ? { with: 'choose' } : {}) } },
    html`${field(frame, errors, {
      name: 'identifier',
      label: identifierLabel(frame, kinds),
      ...identifierInput(kinds),
      autocomplete: hasPasskeys ? 'username webauthn' : 'username',
      isFocused: true,
      maxlength: 320,
      ...(value === undefined ? {} : { value }),
    })}${button(text('common.continue'))}`,
  )
  const byPasskey = passkeyForm(frame, {
    to: '/sign-in/passkey',
    optionsFrom: '/sign-in/passkey/options',
    label: text('signIn.withPasskey'),
    kind: 'secondary',
    hidden: { redirectTo },
    isConditional: hasIdentifier,
  })
  const lead =
    application === undefined
      ? undefined
      : withAddress((name) => text('signIn.goesTo', { application: name }), application)
  const other =
    isAnotherWanted &&
    application !== undefined &&
    html`<p class="notice">
      ${withAddress((name) => text('signIn.otherAccount', { application: name }), application)}
    </p>`
  const others = providers.length > 0 || hasPasskeys
  const wayIn = canSignUp
    ? link(frame, `/sign-up${query}`, text('signIn.signUp'))
    : view.canJoinWaitlist === true && link(frame, '/waitlist', text('waitlist.title'))
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, lead)}${notice(errors['form'])}${other}${hasIdentifier && byIdentifier}${hasIdentifier && others && html`<div class="${providers.length === 0 && 'needs-script'}">${divider(frame)}</div>`}${others && html`<div class="stack">${providerButtons(frame, providers, { to: '/sign-in', redirectTo })}${hasPasskeys && byPasskey}</div>`}${wayIn && html`<p class="row center"><span>${text('signIn.noAccount')} ${wayIn}</span></p>`}${upkeepScript(view.upkeep)}`,
  )
}
