// Fields: a label, an input, a hint and the problem with it, connected for screen readers.
import type { Frame } from '../frame.ts'
import { type Html, flag, html } from '../html.ts'

/** The problem with each field of a form, in the reader's language; `form` is the problem with the whole form. */
export type FieldErrors = Readonly<Record<string, string>>

export interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password' | 'number' | 'date'
  /** What a browser may fill in: WHATWG HTML, "autofill". */
  readonly autocomplete: string
  readonly inputmode?: 'email' | 'tel' | 'url' | 'numeric' | 'text'
  readonly value?: string
  readonly hint?: string
  readonly isFocused?: boolean
  readonly maxlength?: number
  readonly minlength?: number
  /** The bounds of a number. */
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly isOptional?: boolean
  /** Whether it is a code that is not sent to the user, which no browser can fill in. */
  readonly isCode?: boolean
}

/** Tells password managers to whom a password belongs. It is not visible. */
export const passwordOwner = (identifier: string): Html =>
  html`<input
    class="unseen"
    type="text"
    name="username"
    autocomplete="username"
    value="${identifier}"
    tabindex="-1"
    aria-hidden="true"
    readonly
  /> `

/** Slashes would have to be escaped in selectors. */
export const fieldId = (name: string): string => `f-${name.replaceAll('/', '-')}`

/** The ids of what describes a field. */
export const describe = (id: string, hint: string | undefined, error: string | undefined): string =>
  [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter((each) => each !== false).join(' ')

/** Whether a field is the first with a problem. */
export const isFocusedField = (errors: FieldErrors, name: string): boolean =>
  Object.keys(errors).find((each) => each !== 'form') === name

/** The attributes of a field in a form that was refused; the first field with a problem gets the focus. */
export function field(frame: Frame, errors: FieldErrors, options: FieldOptions): Html {
  const { name, label, hint, type = 'text', value, inputmode, maxlength, minlength, isOptional = false } = options
  const error = errors[name]
  const id = fieldId(name)
  const described = describe(id, hint, error)
  const isFocused =
    isFocusedField(errors, name) || (options.isFocused === true && Object.keys(errors).every((each) => each === 'form'))
  const isCode = options.isCode === true || options.autocomplete === 'one-time-code'
  const input = html`<input
    id="${id}"
    name="${name}"
    type="${type}"
    autocomplete="${options.autocomplete}"
    ${inputmode !== undefined && html` inputmode="${inputmode}"`}${isPlain(type, isCode) && html` autocapitalize="none" spellcheck="false"`}${isCode && html` dir="ltr" class="code"`}${maxlength !== undefined && html` maxlength="${maxlength}"`}${minlength !== undefined && html` minlength="${minlength}"`}${type === 'number' && html` step="any" dir="ltr"`}${options.min !== undefined && html` min="${options.min}"`}${options.max !== undefined && html` max="${options.max}"`}${value !== undefined && html` value="${value}"`}
    ${!isOptional && html`required`}${flag('autofocus', isFocused)}${described !== '' && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}
  />`
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${type === 'password' ? withShow(frame, id, input) : input}
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p> `}${error !== undefined && html`<p class="error" id="${id}-error">${error}</p> `}
  </div> `
}

/** Capitalises names of people; identifiers, passwords and codes stay as they were typed. */
const isPlain = (type: string, isCode: boolean) => type !== 'text' || isCode

/** The button is hidden until the script runs. Its space is reserved, so that nothing moves. */
const withShow = ({ text }: Frame, id: string, input: Html) =>
  html`<div class="shown">
    ${input}
    <button
      type="button"
      class="show"
      hidden
      data-show="${id}"
      data-other="${text('common.hidePassword')}"
      aria-pressed="false"
      aria-controls="${id}"
    >
      ${text('common.showPassword')}
    </button>
  </div>`

/** For pages without a field beside which a problem could be shown: the problem with the form, or with anything that it has sent. */
export const firstError = (errors: FieldErrors): string | undefined => errors['form'] ?? Object.values(errors)[0]

/** The problem with a form as a whole, or the result of the last action. */
export const notice = (message: string | undefined, kind: 'error' | 'done' = 'error'): Html | false =>
  message !== undefined &&
  html`<p class="notice ${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${message}</p> `
