import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, field } from './field.ts'
import { button, form } from './form.ts'

export interface CodeFormOptions {
  readonly to: string
  readonly hidden: Readonly<Record<string, string | undefined>>
  readonly errors: FieldErrors
  readonly submit: string
  readonly label?: string
  /** How many digits the code has: the script sends the form once all are entered. */
  readonly digits?: number
  /** What else the form has, above its button. */
  readonly more?: Html | false
}

/** A form for a code that people type, paste, or let their phone fill in. */
export const codeForm = (
  frame: Frame,
  { to, hidden, errors, submit, label, digits, more = false }: CodeFormOptions,
): Html =>
  form(
    frame,
    {
      to,
      hidden, // Where there is more to fill in, the form waits for its button.
      ...(digits === undefined || more !== false ? {} : { data: { digits: String(digits) } }),
    },
    html`${field(frame, errors, {
      name: 'code',
      label: label ?? frame.text('field.code'),
      autocomplete: 'one-time-code',
      inputmode: digits === undefined ? 'text' : 'numeric',
      isFocused: true,
      maxlength: 128,
    })}${more}${button(submit)}`,
  )

/** A form whose button sends the code again; the script disables it for some seconds. */
export const resendForm = (frame: Frame, to: string, hidden: Readonly<Record<string, string>>, label: string): Html =>
  form(frame, { to, hidden, data: { resend: '30' } }, button(label, { kind: 'quiet' }))
