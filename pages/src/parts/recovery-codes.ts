// New recovery codes, which are shown once.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

export interface NewRecoveryCodes {
  readonly codes: readonly string[]
  /** The user to whom they belong. */
  readonly name: string
  /** The path below the root to which the reader goes on. */
  readonly continueAt: string
}

/** The link contains the file, so that the codes are sent nowhere but to the device. */
export function recoveryCodes({ text, tenant, root }: Frame, { codes, name, continueAt }: NewRecoveryCodes): Html {
  const title = text('recovery.fileTitle', { tenant: tenant?.name ?? '', name })
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\r\n\r\n${codes.join('\r\n')}\r\n`)}`
  return html`<p class="printed">${title}</p>
    <ul class="codes" dir="ltr">
      ${codes.map((code) => html`<li><code>${code}</code></li> `)}
    </ul>
    <div class="actions">
      <a class="button secondary" href="${file}" download="recovery-codes.txt">${text('recovery.download')}</a>
      <button type="button" class="button secondary" hidden data-print>${text('recovery.print')}</button>
    </div>
    <a class="button primary" href="${root}${continueAt}">${text('recovery.done')}</a>`
}
