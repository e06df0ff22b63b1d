// The second factor: a code of the app, a passkey or security key, or a recovery code.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { codeForm } from '../parts/code-form.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { link } from '../parts/form.ts'
import { needsScript, passkeyForm } from '../parts/passkey.ts'

export type SecondFactorWay = 'app' | 'key' | 'recovery'

export interface SecondFactorView {
  readonly attemptId: string
  readonly way: SecondFactorWay
  readonly ways: readonly SecondFactorWay[]
  readonly errors?: FieldErrors
  /** For how many days the user may choose not to be asked on this device; 0 means not at all. */
  readonly trustDays?: number
}

const names = { app: 'second.chooseApp', key: 'second.chooseKey', recovery: 'second.chooseRecovery' } as const
const leads = { app: 'second.appLead', key: 'second.keyLead', recovery: 'second.recoveryLead' } as const

/** The box with which users choose not to be asked on this device; nothing where the tenant allows no days. */
export const trustChoice = ({ text }: Frame, days: number): Html | false =>
  days > 0 &&
  html`<div class="field">
    <label class="choice">
      <input type="checkbox" name="trustDevice" value="1" />
      <span>${text('second.trust', { count: days })}</span>
    </label>
  </div>`

export function secondFactorPage(
  frame: Frame,
  { attemptId, way, ways, errors = {}, trustDays = 0 }: SecondFactorView,
): string {
  const { text } = frame
  const title = text('second.title')
  const to = `/sign-in/${attemptId}`
  const hidden = { step: 'second', with: way, strategy: way === 'key' ? 'security_key' : 'authenticator_code' }
  const others = ways.filter((each) => each !== way)
  const more = trustChoice(frame, trustDays)
  const byCode = () =>
    codeForm(frame, {
      to,
      hidden,
      errors,
      submit: text('second.submit'),
      more,
      ...(way === 'app' ? { digits: 6 } : { label: text('field.recoveryCode') }),
    })
  const byKey = (): Html =>
    html`${needsScript(frame)}${passkeyForm(frame, { to, optionsFrom: `${to}/passkey/options`, label: text('passkey.use'), kind: 'primary', hidden, more })}`
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text(leads[way]))}${notice(errors['form'])}${way === 'key' ? byKey() : byCode()}${
      others.length > 0 &&
      html`<ul class="stack row">
        ${others.map((other) => html`<li>${link(frame, `${to}?with=${other}`, text(names[other]))}</li>`)}
      </ul>`
    }`,
  )
}
