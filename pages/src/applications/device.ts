// The code that a device without a browser shows: it is entered here, and then it is asked whether the device may have access.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, field, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'

export interface DeviceView {
  /** The code that came with the address. It is only filled in: whoever sent the link may be a stranger. */
  readonly userCode: string | undefined
  readonly errors?: FieldErrors
}

export function devicePage(frame: Frame, { userCode, errors = {} }: DeviceView): string {
  const { text } = frame
  const title = text('device.title')
  const code = field(frame, errors, {
    name: 'userCode',
    label: text('field.code'),
    autocomplete: 'off',
    isCode: true,
    isFocused: true,
    maxlength: 32,
    ...(userCode === undefined ? {} : { value: userCode }),
  })
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('device.lead'))}${notice(errors['form'])}${form(
      frame,
      { to: '/device' },
      html`${code}${button(text('common.continue'))}`,
    )}`,
  )
}
