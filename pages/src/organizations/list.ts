// The user's organizations, the active one among them, and those that the user could join.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
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

export interface OrganizationListView extends AreaView, PagerView {
  readonly organizations: readonly ListedOrganization[]
  /** Whether an organization is active, on this page of the list or another. */
  readonly isActing: boolean
  readonly suggestions: readonly SuggestedOrganization[]
  /** Whether the user may ask for an invitation. */
  readonly canAsk: boolean
}

export function organizationListPage(frame: Frame, view: OrganizationListView): string {
  const { text, root } = frame
  const { organizations, isActing, suggestions } = view
  const isEmpty = organizations.length === 0
  return organizationsPage(
    frame,
    view,
    { title: text('orgs.title'), lead: isEmpty ? text('orgs.none') : undefined, back: 'account' },
    html`${
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
