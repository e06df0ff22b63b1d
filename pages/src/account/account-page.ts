// The frame of the account pages: beside the card the links to the other pages, or on narrow screens the link back to the overview.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, type Shown, html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { link } from '../parts/form.ts'
import type { TextKey } from '../texts/catalogue.ts'
import type { TextOf } from '../texts/text-of.ts'
import { type AccountSection, accountSections, groupsWith } from './sections.ts'

/** The data that every account page needs. */
export interface AccountView {
  /** The sections that the user has. */
  readonly sections: readonly AccountSection[]
  readonly errors?: FieldErrors
  /** The result of the last action. */
  readonly done?: TextKey | undefined
}

export interface AccountPageOptions {
  readonly title: string
  readonly lead?: Html | string | undefined
  /** The section to which the page belongs. */
  readonly section: AccountSection
}

/** The key of a text without values. */
export const plainText = (text: TextOf, key: TextKey): string => (text as (name: TextKey) => string)(key)

function navigation(frame: Frame, sections: readonly AccountSection[], current: AccountSection): Html {
  const { text, root } = frame
  const items = groupsWith(sections).flatMap(({ sections: shown }) =>
    shown.map((section) => {
      const { path, label } = accountSections[section]
      const isCurrent = section === current
      return html`<li>
        <a href="${root}${path}" ${isCurrent && html`aria-current="page"`}>${plainText(text, label)}</a>
      </li> `
    }),
  )
  return html`<nav aria-label="${text('account.navigation')}">
    <a class="back" href="${root}/account">${text('account.back')}</a>
    <ul>
      ${items}
      <li>${link(frame, '/sign-out', text('account.signOut'))}</li>
    </ul>
  </nav>`
}

export function accountPage(frame: Frame, view: AccountView, options: AccountPageOptions, content: Shown): string {
  const { title, lead, section } = options
  const { sections, errors = {}, done } = view
  return page(
    frame,
    {
      title,
      isRefused: Object.keys(errors).length > 0,
      navigation: navigation(frame, sections, section),
    },
    html`${heading(title, lead)}${notice(errors['form'])}${done !== undefined && notice(plainText(frame.text, done), 'done')}${content}`,
  )
}

/** A part of a card with its own heading. */
export const part = (title: string, content: Shown): Html =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section> `
