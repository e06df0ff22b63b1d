// Recovery codes: how many are left, and new ones, which are shown once.
import { type Frame } from '../frame.ts'
import { html } from '../html.ts'
import { button, form } from '../parts/form.ts'
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

export interface NewRecoveryCodesView extends AccountView {
  readonly codes: readonly string[]
  /** The user to whom they belong. */
  readonly name: string
  /** The page to which the reader goes on. */
  readonly from: Extract<AccountSection, 'app' | 'passkeys' | 'recoveryCodes'>
  readonly continueAt: string
}

/** The link contains the file, so that the codes are sent nowhere but to the device. */
export function newRecoveryCodesPage(frame: Frame, view: NewRecoveryCodesView): string {
  const { text, tenant, root } = frame
  const { codes, name, from, continueAt } = view
  const title = text('recovery.fileTitle', { tenant: tenant?.name ?? '', name })
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\r\n\r\n${codes.join('\r\n')}\r\n`)}`
  return accountPage(
    frame,
    view,
    { title: text('recovery.newTitle'), lead: text('recovery.newLead'), section: from },
    html`<p class="printed">${title}</p>
      <ul class="codes" dir="ltr">
        ${codes.map((code) => html`<li><code>${code}</code></li> `)}
      </ul>
      <div class="actions">
        <a class="button secondary" href="${file}" download="recovery-codes.txt">${text('recovery.download')}</a>
        <button type="button" class="button secondary" hidden data-print>${text('recovery.print')}</button>
      </div>
      <a class="button primary" href="${root}${continueAt}">${text('recovery.done')}</a>`,
  )
}
