// The overview of an account: every section with a short status.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { notice } from '../parts/field.ts'
import { link } from '../parts/form.ts'
import { type PasskeyUpkeep, upkeepScript } from '../parts/passkey-upkeep.ts'
import { withAddress } from '../parts/who.ts'
import { type AccountView, plainText } from './account-page.ts'
import { type AccountSection, accountSections, groupsWith } from './sections.ts'

export interface OverviewView extends AccountView {
  readonly name: string
  readonly imageUri: string | null
  readonly upkeep?: PasskeyUpkeep
  /** Whether the browser can keep several users signed in. */
  readonly keepsAccounts?: boolean
  /** The status of a section; undefined for sections without one. */
  readonly states: Readonly<Partial<Record<AccountSection, string>>>
}

export const picture = (imageUri: string): Html =>
  html`<img class="picture" src="${imageUri}" alt="" width="64" height="64" />`

export function overviewPage(frame: Frame, view: OverviewView): string {
  const { text, root } = frame
  const { name, imageUri, sections, states, errors = {}, done, keepsAccounts = false } = view
  const row = (section: AccountSection) => {
    const { path, label } = accountSections[section]
    const state = states[section]
    return html`<li>
      <a href="${root}${path}"
        ><div>
          <span>${plainText(text, label)}</span>${state !== undefined && html` <small><bdi>${state}</bdi></small>`}
        </div></a
      >
    </li> `
  }
  const groups = groupsWith(sections).map(
    ({ label, sections: shown }) =>
      html`<section>
        <h2>${plainText(text, label)}</h2>
        <ul class="rows">
          ${shown.map(row)}
        </ul>
      </section> `,
  )
  const title = text('account.title')
  const lead = withAddress((shown) => text('account.lead', { name: shown }), name)
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0, navigation: html`` },
    html`<div class="person">
        ${imageUri !== null && picture(imageUri)}
        <div>${heading(title, lead)}</div>
      </div>
      ${notice(errors['form'])}${done !== undefined && notice(plainText(text, done), 'done')}${groups}
      <p class="row">
        ${keepsAccounts && link(frame, '/accounts', text('accounts.title'))}${link(frame, '/sign-out', text('account.signOut'))}
      </p>
      ${upkeepScript(view.upkeep)}`,
  )
}
