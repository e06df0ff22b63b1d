// The user's organizations, the active one among them, and those that the user could join.
import { type Frame, heading, page } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'
import {
  type AreaView,
  type PagerView,
  type ShownOrganization,
  avatar,
  organizationPath,
  organizationsPage,
  pager,
} from './shell.ts'

export interface ListedOrganization extends Pick<ShownOrganization, 'id' | 'name' | 'pictureUri'> {
  readonly role: string | null
  readonly members: number
  readonly isActive: boolean
}

export interface SuggestedOrganization extends Pick<ShownOrganization, 'id' | 'name' | 'pictureUri'> {
  readonly domain: string
}

/** An open invitation that the user has received. */
export interface ReceivedInvitationView {
  readonly id: string
  readonly organization: Pick<ShownOrganization, 'id' | 'name' | 'pictureUri'>
  /** The invited address. */
  readonly email: string
}

export interface OrganizationListView extends AreaView, PagerView {
  readonly organizations: readonly ListedOrganization[]
  /** Whether an organization is active, on this page of the list or another. */
  readonly isActing: boolean
  readonly invitations: readonly ReceivedInvitationView[]
  readonly suggestions: readonly SuggestedOrganization[]
  /** Whether the user may ask for an invitation. */
  readonly canAsk: boolean
}

export function organizationListPage(frame: Frame, view: OrganizationListView): string {
  const { text, root } = frame
  const { organizations, invitations, isActing, suggestions } = view
  const isEmpty = organizations.length === 0
  return organizationsPage(
    frame,
    view,
    { title: text('orgs.title'), lead: isEmpty ? text('orgs.none') : undefined, back: 'account' },
    html`${
        invitations.length > 0 &&
        html`<section>
          <h2>${text('orgs.invitationsTitle')}</h2>
          ${receivedInvitations(frame, invitations)}
        </section> `
      }${
        !isEmpty &&
        html`<ul class="list">
          ${isActing && themselves(frame)}${organizations.map((each) => item(frame, each))}
        </ul> `
      }${pager(frame, '/organizations', view)}<a
        class="button ${isEmpty ? 'primary' : 'secondary'}"
        href="${root}/organizations/new"
        >${text('orgs.create')}</a
      >${
        suggestions.length > 0 &&
        html`<section>
          <h2>${text('orgs.suggestions')}</h2>
          <ul class="list">
            ${suggestions.map((each) => suggestion(frame, each, view.canAsk))}
          </ul>
        </section> `
      }`,
  )
}

/** @param name the organization that the button switches to, for screen readers. */
const switchTo = (frame: Frame, organizationId: string, name: string): Html =>
  form(
    frame,
    { to: '/organizations/switch', hidden: { organizationId } },
    html`<button type="submit" class="quiet">
      ${frame.text('orgs.switch')}<span class="unseen"> – ${name}</span>
    </button>`,
  )

const themselves = (frame: Frame): Html =>
  html`<li>
    ${avatar({ name: frame.text('orgs.personal'), pictureUri: null })}
    <div>
      <p><b>${frame.text('orgs.personal')}</b></p>
      <p class="hint">${frame.text('orgs.personalHint')}</p>
    </div>
    ${switchTo(frame, '', frame.text('orgs.personal'))}
  </li> `

function item(frame: Frame, organization: ListedOrganization): Html {
  const { text, root } = frame
  const { id, name, role, members, isActive } = organization
  return html`<li>
    ${avatar(organization)}
    <div>
      <p>
        <a href="${root}${organizationPath(organization)}"><bdi>${name}</bdi></a>
      </p>
      <p class="hint"><bdi>${role ?? text('orgs.noRole')}</bdi> · ${text('orgs.members', { count: members })}</p>
    </div>
    ${isActive ? html`<span class="badge">${text('orgs.active')}</span>` : switchTo(frame, id, name)}
  </li> `
}

function suggestion(frame: Frame, organization: SuggestedOrganization, canAsk: boolean): Html {
  const { text } = frame
  const { id, name, domain } = organization
  return html`<li>
    ${avatar(organization)}
    <div>
      <p>
        <b><bdi>${name}</bdi></b>
      </p>
      <p class="hint">
        ${withAddress((address) => text('orgs.suggested', { domain: address }), domain)}
        ${!canAsk && text('orgs.askSomebody')}
      </p>
    </div>
    ${canAsk && form(frame, { to: '/organizations/suggestions', hidden: { organizationId: id } }, button(text('orgs.ask'), { kind: 'secondary' }))}
  </li> `
}

/** @param hidden what the answer sends along. */
const receivedInvitations = (
  frame: Frame,
  invitations: readonly ReceivedInvitationView[],
  hidden: Readonly<Record<string, string>> = {},
): Html =>
  html`<ul class="list">
    ${invitations.map((each) => receivedInvitation(frame, each, hidden))}
  </ul> `

function receivedInvitation(
  frame: Frame,
  { id, email, organization }: ReceivedInvitationView,
  hidden: Readonly<Record<string, string>>,
): Html {
  const { text } = frame
  const { id: organizationId, name } = organization
  const answer = (value: 'accept' | 'decline', kind: 'secondary' | 'quiet') =>
    html`<button type="submit" class="${kind}" name="answer" value="${value}">
      ${text(`invitation.${value}`)}<span class="unseen"> – ${name}</span>
    </button>`
  return html`<li>
    ${avatar(organization)}
    <div>
      <p>
        <b><bdi>${name}</bdi></b>
      </p>
      <p class="hint"><bdi>${email}</bdi></p>
      ${form(
        frame,
        { to: '/organizations/received', hidden: { ...hidden, organizationId, invitationId: id } },
        html`<div class="row">${answer('accept', 'secondary')}${answer('decline', 'quiet')}</div>`,
      )}
    </div>
  </li> `
}

export interface InvitationOfferView extends Pick<AreaView, 'done' | 'errors'> {
  readonly invitations: readonly ReceivedInvitationView[]
  /** What has just ended, and where the user was going. */
  readonly after: 'signIn' | 'signUp'
  readonly redirectTo: string | undefined
}

/** After a sign-in: the open invitations, which can be answered later. */
export function invitationOfferPage(frame: Frame, view: InvitationOfferView): string {
  const { after, done, errors = {}, invitations, redirectTo = '' } = view
  const { text } = frame
  const title = text('invitation.title')
  const hidden = { after, redirect_to: redirectTo }
  return page(
    frame,
    { title, isRefused: Object.keys(errors).length > 0 },
    html`${heading(title, text('invitation.acceptLead'))}${notice(errors['form'])}${notice(done, 'done')}${receivedInvitations(frame, invitations, hidden)}${form(
      frame,
      { to: '/organizations/received', hidden: { ...hidden, answer: 'later' } },
      button(text('passkeyOffer.later'), { kind: 'quiet' }),
    )}`,
  )
}
