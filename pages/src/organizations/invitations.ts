// Inviting people to an organization, and the state of the invitations.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, field, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type GivenRole, roleSelect } from './roles.ts'
import { type OrganizationView, type PagerView, organizationPage, organizationPath, pager } from './shell.ts'

export type InvitationState = 'waiting' | 'expired' | 'accepted' | 'declined'

export interface ListedInvitation {
  readonly id: string
  readonly email: string
  readonly role: string | null
  readonly state: InvitationState
  /** When it expires, or when it was answered. */
  readonly date: string
  /** How long the membership lasts, in words. */
  readonly lifetime?: string | undefined
}

/** How long a membership may last, in days, with the words for it in the language of the page. */
export interface LifetimeChoice {
  readonly days: number
  readonly label: string
}

export interface OrganizationInvitationsView extends OrganizationView, PagerView {
  readonly invitations: readonly ListedInvitation[]
  readonly roles: readonly GivenRole[]
  readonly lifetimes: readonly LifetimeChoice[]
  readonly cursor?: string | undefined
  /** The text that the user entered. */
  readonly values?:
    | { readonly email: string; readonly roleId: string | null; readonly days?: string | undefined }
    | undefined
  /** The problems with the form, by field, or with an invitation, by its id. */
  readonly errors?: FieldErrors
}

export function organizationInvitationsPage(frame: Frame, view: OrganizationInvitationsView): string {
  const { text } = frame
  const { organization, invitations } = view
  const to = organizationPath(organization, 'invitations')
  return organizationPage(
    frame,
    view,
    { title: text('orgs.invitationsTitle'), section: 'invitations' },
    html`${inviteForm(frame, view, to)}${
      invitations.length === 0
        ? html`<p class="hint">${text('orgs.noInvitations')}</p> `
        : html`<section>
            <ul class="list plain">
              ${invitations.map((invitation) => item(frame, view, invitation))}
            </ul>
            ${pager(frame, to, view)}
          </section> `
    }`,
  )
}

/** The choice of how long something lasts. */
export function lifetimeSelect(
  { text }: Frame,
  label: string,
  lifetimes: readonly LifetimeChoice[],
  chosen?: string,
): Html {
  return html`<div class="field">
    <label for="f-days">${label}</label>
    <select id="f-days" name="days">
      <option value="">${text('orgs.noEnd')}</option>
      ${lifetimes.map(({ days, label: words }) => html`<option value="${days}" ${String(days) === chosen && html`selected`}>${words}</option> `)}
    </select>
  </div> `
}

function inviteForm(frame: Frame, view: OrganizationInvitationsView, to: string): Html {
  const { text } = frame
  const { roles, values, errors = {} } = view
  return html`<section>
    <h2>${text('orgs.inviteTitle')}</h2>
    ${form(
      frame,
      { to },
      html`${field(frame, errors, {
        name: 'email',
        label: text('field.email'),
        type: 'email',
        autocomplete: 'off',
        inputmode: 'email',
        hint: text('orgs.inviteHint'),
        ...(values === undefined ? {} : { value: values.email }),
      })}${roleSelect(frame, 'f-roleId', roles, values?.roleId ?? null)}${lifetimeSelect(frame, text('orgs.lasts'), view.lifetimes, values?.days)}${button(text('orgs.inviteSubmit'))}`,
    )}
  </section> `
}

function stateOf({ text }: Frame, { state, date }: ListedInvitation): string {
  if (state === 'waiting') return text('orgs.waiting', { date })
  if (state === 'expired') return text('orgs.expired', { date })
  return state === 'accepted' ? text('orgs.accepted', { date }) : text('orgs.declined', { date })
}

function item(frame: Frame, view: OrganizationInvitationsView, invitation: ListedInvitation): Html {
  const { text } = frame
  const { id, email, role, lifetime } = invitation
  const problem = view.errors?.[id]
  return html`<li>
    <div>
      <p>
        <b><bdi>${email}</bdi></b>
      </p>
      <p class="hint">
        <bdi>${role ?? text('orgs.noRole')}</bdi>${lifetime !== undefined && html` · ${lifetime}`} ·
        ${stateOf(frame, invitation)}
      </p>
      ${notice(problem)}${answers(frame, view, invitation)}
    </div>
  </li> `
}

function answers(frame: Frame, { organization, cursor }: OrganizationInvitationsView, invitation: ListedInvitation) {
  const { text } = frame
  const { id, email, state } = invitation
  const isOpen = state === 'waiting' || state === 'expired'
  const act = (action: string, label: string) =>
    form(
      frame,
      { to: organizationPath(organization, 'invitations', id), hidden: { action, cursor } },
      html`<button type="submit" class="quiet">${label}<span class="unseen"> – ${email}</span></button>`,
    )
  return html`<div class="row">
    ${isOpen && act('resend', text('orgs.resend'))}${isOpen ? act('revoke', text('orgs.revoke')) : act('forget', text('orgs.forget'))}
  </div> `
}
