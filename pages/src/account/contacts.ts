// E-mail addresses and phone numbers: the same pages with different words.
import { type Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { codeForm, resendForm } from '../parts/code-form.ts'
import { type FieldOptions, field, notice } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { type AccountView, accountPage, part, plainText } from './account-page.ts'

export type ContactSection = 'emails' | 'phones'

export interface ShownContact {
  readonly id: string
  readonly value: string
  readonly isVerified: boolean
  readonly isPrimary: boolean
}

export interface ContactsView extends AccountView {
  readonly section: ContactSection
  readonly contacts: readonly ShownContact[]
  /** Whether a contact can be verified, which requires sending a message. */
  readonly canVerify: boolean
  /** The text that the user entered. */
  readonly value?: string | undefined
}

const words = {
  emails: { title: 'account.emails', lead: 'emails.lead', add: 'emails.add', verifyTitle: 'verify.emailTitle' },
  phones: { title: 'account.phones', lead: 'phones.lead', add: 'phones.add', verifyTitle: 'verify.phoneTitle' },
} as const satisfies Readonly<Record<ContactSection, Readonly<Record<string, TextKey>>>>

const fieldOf = ({ text }: Frame, section: ContactSection): FieldOptions =>
  section === 'emails'
    ? {
        name: 'email',
        label: text('field.email'),
        type: 'email',
        inputmode: 'email',
        autocomplete: 'email',
        maxlength: 320,
      }
    : {
        name: 'phone',
        label: text('field.phone'),
        type: 'tel',
        inputmode: 'tel',
        autocomplete: 'tel',
        maxlength: 64,
        hint: text('field.phoneHint'),
      }

function contactItem(frame: Frame, { section, canVerify }: ContactsView, contact: ShownContact): Html {
  const { text, root } = frame
  const { id, value, isVerified, isPrimary } = contact
  const at = `/account/${section}/${id}`
  const spoken = (label: string) => `${label}: ${value}`
  const removeLabel = text('account.remove')
  return html`<li>
    <p>
      <bdi>${value}</bdi>
      ${isPrimary && html`<span class="badge">${text('emails.primary')}</span> `}${!isVerified && html`<span class="badge">${text('emails.unverified')}</span>`}
    </p>
    <div class="actions">
      ${!isVerified && canVerify && form(frame, { to: `${at}/prepare` }, button(text('emails.verify'), { kind: 'quiet', spoken: spoken(text('emails.verify')) }))}${isVerified && !isPrimary && form(frame, { to: `${at}/primary` }, button(text('emails.makePrimary'), { kind: 'quiet', spoken: spoken(text('emails.makePrimary')) }))}
      <a href="${root}${at}/remove" aria-label="${spoken(removeLabel)}">${removeLabel}</a>
    </div>
  </li> `
}

export function contactsPage(frame: Frame, view: ContactsView): string {
  const { text } = frame
  const { section, contacts, canVerify, value, errors = {} } = view
  const { title, lead, add } = words[section]
  const addForm = form(
    frame,
    { to: `/account/${section}` },
    html`${field(frame, errors, { ...fieldOf(frame, section), ...(value === undefined ? {} : { value }) })}${button(text('account.add'), { kind: 'secondary' })}`,
  )
  return accountPage(
    frame,
    view,
    { title: plainText(text, title), lead: plainText(text, lead), section },
    html`${
      contacts.length === 0
        ? html`<p class="empty">${text('account.none')}</p>`
        : html`<ul class="items">
            ${contacts.map((each) => contactItem(frame, view, each))}
          </ul> `
    }${canVerify && part(plainText(text, add), addForm)}`,
  )
}

export interface ContactCodeView extends AccountView {
  readonly section: ContactSection
  readonly id: string
  readonly value: string
  readonly isSentAgain?: boolean
}

/** The code that was sent to an address or a number. */
export function contactCodePage(frame: Frame, view: ContactCodeView): string {
  const { text } = frame
  const { section, id, value, errors = {}, isSentAgain = false } = view
  const at = `/account/${section}/${id}`
  return accountPage(
    frame,
    view,
    {
      title: plainText(text, words[section].verifyTitle),
      lead: withAddress((address) => text('verify.codeLead', { address }), value),
      section,
    },
    html`${isSentAgain && notice(text('code.sent'), 'done')}${codeForm(frame, { to: at, hidden: {}, errors, submit: text('verify.submit'), digits: 6 })}
      <div class="row">
        ${resendForm(frame, `${at}/prepare`, { again: '1' }, text('code.resend'))}${link(frame, `/account/${section}`, text('account.cancel'))}
      </div>`,
  )
}
