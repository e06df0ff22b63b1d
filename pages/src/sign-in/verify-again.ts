// Step-up: before the reader of a page asks for the proof that an application or an organization wants.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'

export interface VerifyAgainView {
  readonly level: 'recent' | 'second_factor'
  /** What the form sends back as it came: the age that is allowed, and where the browser goes afterwards. */
  readonly maxAge?: string | undefined
  readonly returnTo?: string | undefined
  readonly errors?: FieldErrors
}

export function verifyAgainPage(frame: Frame, { level, maxAge, returnTo, errors = {} }: VerifyAgainView): string {
  const { text } = frame
  const title = text('verify.title')
  const hidden = {
    level,
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(returnTo === undefined ? {} : { returnTo }),
  }
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text(level === 'recent' ? 'verify.recentLead' : 'verify.secondLead'))}${notice(errors['form'])}${form(frame, { to: '/verify', hidden }, button(text('common.continue')))}`,
  )
}
