// Downloading the user's data, and deleting the account.
import { type Frame } from '../frame.ts'
import { html } from '../html.ts'
import { button, form } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'
import { type AccountView, accountPage } from './account-page.ts'

export function dataPage(frame: Frame, view: AccountView): string {
  const { text } = frame
  return accountPage(
    frame,
    view,
    { title: text('account.data'), lead: text('data.lead'), section: 'data' },
    form(frame, { to: '/account/data' }, button(text('data.download'))),
  )
}

export interface DeleteView extends AccountView {
  readonly name: string
}

export function deletePage(frame: Frame, view: DeleteView): string {
  const { text } = frame
  const { name, errors = {} } = view
  const error = errors['understood']
  return accountPage(
    frame,
    view,
    {
      title: text('account.delete'),
      lead: withAddress((shown) => text('delete.lead', { name: shown }), name),
      section: 'delete',
    },
    form(
      frame,
      { to: '/account/delete' },
      html`<div class="field">
          <label class="choice">
            <input
              type="checkbox"
              name="understood"
              value="1"
              required
              ${error !== undefined && html`aria-invalid="true" aria-describedby="f-understood-error" autofocus`}
            />
            <span>${text('delete.understood')}</span>
          </label>
          ${error !== undefined && html`<p class="error" id="f-understood-error">${error}</p>`}
        </div>
        ${button(text('delete.submit'), { kind: 'danger' })}`,
    ),
  )
}
