// After a sign-in with a password: the offer of a passkey, which can be put off. The browser may accept it by itself.
import { type Frame, heading, page } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type PasskeyUpkeep, upkeepScript } from '../parts/passkey-upkeep.ts'
import { passkeyForm } from '../parts/passkey.ts'

export interface PasskeyOfferView {
  readonly attemptId: string
  readonly upkeep: PasskeyUpkeep
  readonly errors?: FieldErrors
}

export function passkeyOfferPage(frame: Frame, { attemptId, upkeep, errors = {} }: PasskeyOfferView): string {
  const { text } = frame
  const title = text('passkeyOffer.title')
  const to = `/sign-in/${attemptId}/passkey-offer`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('passkeyOffer.lead'))}${notice(errors['form'])}${passkeyForm(frame, {
      to,
      optionsFrom: `${to}/options`,
      label: text('passkeyOffer.create'),
      kind: 'primary',
      isNew: true,
      isOffer: true,
      hidden: { mediation: '' },
    })}${form(frame, { to, hidden: { later: '1' } }, button(text('passkeyOffer.later'), { kind: 'quiet' }))}${upkeepScript(upkeep)}`,
  )
}
