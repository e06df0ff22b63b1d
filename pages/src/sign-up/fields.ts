// Signing up: the fields that the tenant asks for on the first page, and those that are still missing on a later one.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type AttributeFields, attributeFields } from '../parts/attributes.ts'
import {
  type PageChallenge,
  challengeData,
  challengeField,
  challengeScript,
  challengeWidget,
} from '../parts/challenge.ts'
import { type FieldErrors, type FieldOptions, field, notice } from '../parts/field.ts'
import { button, divider, form, link } from '../parts/form.ts'
import { type ShownProvider, providerButtons } from '../parts/providers.ts'

export type SignUpField = 'email' | 'phone' | 'username' | 'name' | 'password'

interface FieldsView {
  readonly fields: readonly SignUpField[]
  readonly values?: Readonly<Partial<Record<SignUpField, string>>>
  readonly errors?: FieldErrors
  readonly passwordLengthMin: number
  /** What the tenant asks beside these fields. */
  readonly own?: AttributeFields | undefined
}

export interface SignUpView extends FieldsView {
  readonly providers: readonly ShownProvider[]
  readonly canSignIn: boolean
  readonly redirectTo?: string | undefined
  readonly invitationToken?: string | undefined
  readonly challenge?: PageChallenge | undefined
}

const shapes = {
  email: { label: 'field.email', type: 'email', inputmode: 'email', autocomplete: 'email', maxlength: 320 },
  phone: { label: 'field.phone', type: 'tel', inputmode: 'tel', autocomplete: 'tel', maxlength: 64 },
  username: { label: 'field.username', autocomplete: 'username', maxlength: 64 },
  name: { label: 'field.name', autocomplete: 'name', maxlength: 256 },
  password: { label: 'field.password', type: 'password', autocomplete: 'new-password' },
} as const

function fieldOf(frame: Frame, name: SignUpField, isFirst: boolean, view: FieldsView): Html {
  const { text } = frame
  const { values = {}, errors = {}, passwordLengthMin: count } = view
  const { label, ...shape } = shapes[name]
  const hint =
    name === 'phone' ? text('field.phoneHint') : name === 'password' ? text('field.passwordHint', { count }) : undefined
  const value = name === 'password' ? undefined : values[name]
  const options: FieldOptions = {
    name,
    label: text(label),
    ...shape,
    isFocused: isFirst,
    ...(hint === undefined ? {} : { hint }),
    ...(value === undefined ? {} : { value }),
    ...(name === 'password' ? { minlength: count } : {}),
  }
  return field(frame, errors, options)
}

const allFields = (frame: Frame, view: FieldsView) => [
  ...view.fields.map((name, index) => fieldOf(frame, name, index === 0, view)),
  ...(view.own === undefined ? [] : attributeFields(frame, view.errors ?? {}, view.own)),
]

export function signUpPage(frame: Frame, view: SignUpView): string {
  const { text } = frame
  const { errors = {}, providers, canSignIn, redirectTo, invitationToken, challenge } = view
  const hidden = { redirectTo, invitationToken, ...challengeField(challenge) }
  const title = text('signUp.title')
  const query = redirectTo === undefined ? '' : `?${new URLSearchParams({ redirect_to: redirectTo }).toString()}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title)}${notice(errors['form'])}${form(frame, { to: '/sign-up', hidden, data: challengeData(challenge) }, html`${allFields(frame, view)}${challengeWidget(challenge)}${button(text('signUp.submit'))}`)}${challengeScript(challenge)}${providers.length > 0 && html`${divider(frame)}${providerButtons(frame, providers, { to: '/sign-in', redirectTo })}`}${canSignIn && html`<p class="row center"><span>${text('signUp.hasAccount')} ${link(frame, `/sign-in${query}`, text('signUp.signIn'))}</span></p>`}`,
  )
}

interface MissingFieldsView extends FieldsView {
  /** The path of the attempt, and what its form sends beside the fields. */
  readonly to: string
  readonly hidden: Readonly<Record<string, string>>
}

export function missingFieldsPage(frame: Frame, view: MissingFieldsView): string {
  const { text } = frame
  const { errors = {}, to, hidden } = view
  const title = text('signUp.missingTitle')
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('signUp.missingLead'))}${notice(errors['form'])}${form(frame, { to, hidden }, html`${allFields(frame, view)}${button(text('common.continue'))}`)}`,
  )
}
