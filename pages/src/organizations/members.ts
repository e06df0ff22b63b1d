// The members of an organization. The role and the removal of members whom the reader may manage are behind a disclosure.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { type FieldErrors, notice } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type GivenRole, roleSelect } from './roles.ts'
import { type OrganizationView, type PagerView, avatar, organizationPage, organizationPath, pager } from './shell.ts'

export interface ListedMember {
  readonly id: string
  readonly name: string
  /** The identifier by which the member signs in; undefined if it is the same as the name. */
  readonly identifier?: string | undefined
  readonly pictureUri: string | null
  readonly role: GivenRole | null
  /** The day on which the membership, or the role alone, ends. */
  readonly until?: string | undefined
  readonly isYou: boolean
  readonly canChange: boolean
}

export interface OrganizationMembersView extends OrganizationView, PagerView {
  readonly members: readonly ListedMember[]
  readonly total: number
  readonly roles: readonly GivenRole[]
  /** The cursor of the page that is shown, so that the answer to a form shows it again. */
  readonly cursor?: string | undefined
  /** The problem with a change of a member, by the member's id. */
  readonly errors?: FieldErrors
}

export function organizationMembersPage(frame: Frame, view: OrganizationMembersView): string {
  const { text } = frame
  const { organization, members, total } = view
  return organizationPage(
    frame,
    view,
    { title: text('orgs.membersTitle'), lead: text('orgs.members', { count: total }), section: 'members' },
    html`<ul class="list">
        ${members.map((member) => item(frame, view, member))}
      </ul>
      ${pager(frame, organizationPath(organization, 'members'), view)}`,
  )
}

function item(frame: Frame, view: OrganizationMembersView, member: ListedMember): Html {
  const { text } = frame
  const { name, identifier, role, until, isYou, canChange } = member
  return html`<li>
    ${avatar(member)}
    <div>
      <p>
        <b><bdi>${name}</bdi></b> ${isYou && html`<span class="badge">${text('orgs.you')}</span>`}
      </p>
      ${identifier !== undefined && html`<p class="hint"><bdi>${identifier}</bdi></p> `}
      <p class="hint">
        <bdi>${role?.name ?? text('orgs.noRole')}</bdi>
        ${until !== undefined && html`<span class="badge">${text('orgs.until', { date: until })}</span>`}
      </p>
      ${canChange && changes(frame, view, member)}
    </div>
  </li> `
}

function changes(frame: Frame, view: OrganizationMembersView, { id, name, role, isYou }: ListedMember): Html {
  const { text } = frame
  const { organization, roles, cursor, errors = {} } = view
  const to = organizationPath(organization, 'members', id)
  const problem = errors[id]
  return html`<details ${problem !== undefined && html`open`}>
    <summary>${text('orgs.change')}<span class="unseen"> – ${name}</span></summary>
    ${notice(problem)}${form(
      frame,
      { to, hidden: { action: 'role', cursor } },
      html`${roleSelect(frame, `role-${id}`, roles, role?.id ?? null)}${button(text('orgs.roleSubmit'), { kind: 'secondary' })}`,
    )}${
      !isYou &&
      form(
        frame,
        { to, hidden: { action: 'remove', cursor } },
        html`<p class="hint">${text('orgs.removeHint')}</p>
          ${button(text('orgs.remove'), { kind: 'danger' })}`,
      )
    }
  </details> `
}
