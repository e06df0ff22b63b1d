// Recovery codes: how many are left, and new ones, which are shown once.
import { type Frame } from '../frame.ts'
import { html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { type NewRecoveryCodes, recoveryCodes } from '../parts/recovery-codes.ts'
import { type AccountView, accountPage } from './account-page.ts'
import type { AccountSection } from './sections.ts'

export interface RecoveryCodesView extends AccountView {
  readonly left: number
}

export function recoveryCodesPage(frame: Frame, view: RecoveryCodesView): string {
  const { text } = frame
  return accountPage(
    frame,
    view,
    { title: text('account.recoveryCodes'), lead: text('recovery.lead'), section: 'recoveryCodes' },
    html`<p class="who">${text('recovery.left', { count: view.left })}</p>
      ${form(
        frame,
        { to: '/account/recovery-codes' },
        html`${button(text('recovery.renew'), { kind: 'secondary' })}
          <p class="hint">${text('recovery.renewHint')}</p>`,
      )}`,
  )
}

export interface NewRecoveryCodesView extends AccountView, NewRecoveryCodes {
  readonly from: Extract<AccountSection, 'app' | 'passkeys' | 'recoveryCodes'>
}

export function newRecoveryCodesPage(frame: Frame, view: NewRecoveryCodesView): string {
  const { text } = frame
  return accountPage(
    frame,
    view,
    { title: text('recovery.newTitle'), lead: text('recovery.newLead'), section: view.from },
    recoveryCodes(frame, view),
  )
}
