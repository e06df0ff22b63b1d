// The groups of an organization, and one of them with its members.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field, type FieldErrors } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type LifetimeChoice, lifetimeSelect } from './invitations.ts'
import type { ListedMember } from './members.ts'
import { type GivenRole, roleSelect } from './roles.ts'
import { type OrganizationView, type PagerView, avatar, organizationPage, organizationPath, pager } from './shell.ts'

export interface ListedGroup {
  readonly id: string
  readonly name: string
  readonly role: GivenRole | null
}

export interface OrganizationGroupsView extends OrganizationView {
  readonly groups: readonly ListedGroup[]
  /** The roles that the reader may give. */
  readonly roles: readonly GivenRole[]
  /** The text that the user entered. */
  readonly name?: string | undefined
}

const nameField = (frame: Frame, errors: FieldErrors, value: string | undefined): Html =>
  field(frame, errors, {
    name: 'name',
    label: frame.text('orgs.name'),
    type: 'text',
    autocomplete: 'off',
    maxlength: 100,
    ...(value === undefined ? {} : { value }),
  })

export function organizationGroupsPage(frame: Frame, view: OrganizationGroupsView): string {
  const { text, root } = frame
  const { organization, groups, roles, name, errors = {} } = view
  const to = organizationPath(organization, 'groups')
  const items = groups.map(
    (group) =>
      html`<li>
        <div>
          <p>
            <a href="${root}${organizationPath(organization, 'groups', group.id)}"><bdi>${group.name}</bdi></a>
          </p>
          <p class="hint"><bdi>${group.role?.name ?? text('orgs.noRole')}</bdi></p>
        </div>
      </li> `,
  )
  return organizationPage(
    frame,
    view,
    { title: text('orgs.groupsTitle'), lead: text('orgs.groupsLead'), section: 'groups' },
    html`${
      groups.length === 0
        ? html`<p class="hint">${text('orgs.noGroups')}</p> `
        : html`<ul class="list plain">
            ${items}
          </ul> `
    }${form(
      frame,
      { to },
      html`${nameField(frame, errors, name)}${roleSelect(frame, 'role', roles, null)}${button(
        text('orgs.groupCreate'),
        { kind: groups.length === 0 ? 'primary' : 'secondary' },
      )}`,
    )}`,
  )
}

export interface OrganizationGroupView extends OrganizationView, PagerView {
  readonly group: ListedGroup
  readonly roles: readonly GivenRole[]
  readonly members: readonly Pick<ListedMember, 'id' | 'name' | 'pictureUri' | 'until'>[]
  /** Those who can be added; undefined for a group that follows a directory. */
  readonly others: readonly { readonly id: string; readonly name: string }[] | undefined
  readonly lifetimes: readonly LifetimeChoice[]
  readonly name?: string | undefined
}

export function organizationGroupPage(frame: Frame, view: OrganizationGroupView): string {
  const { text } = frame
  const { organization, group, roles, members, others, lifetimes, name, errors = {} } = view
  const to = organizationPath(organization, 'groups', group.id)
  const isListed = group.role === null || roles.some(({ id }) => id === group.role?.id)
  const choices = isListed || group.role === null ? roles : [group.role, ...roles]
  return organizationPage(
    frame,
    view,
    { title: group.name, lead: group.role?.name ?? text('orgs.noRole'), section: 'groups' },
    html`${others === undefined && html`<p>${text('orgs.groupDirectory')}</p> `}${
        members.length === 0
          ? html`<p class="hint">${text('orgs.groupEmpty')}</p> `
          : html`<ul class="list">
              ${members.map((member) => memberItem(frame, to, member, others !== undefined))}
            </ul> `
      }${pager(frame, to, view)}${others !== undefined && others.length > 0 && addForm(frame, to, others, lifetimes)}
      <details ${errors['name'] !== undefined && html`open`}>
        <summary>${text('orgs.groupChange')}</summary>
        ${form(
          frame,
          { to, hidden: { action: 'save' } },
          html`${nameField(frame, errors, name ?? group.name)}${roleSelect(frame, 'role', choices, group.role?.id ?? null)}${button(text('orgs.save'), { kind: 'secondary' })}`,
        )}${form(
          frame,
          { to, hidden: { action: 'delete' } },
          html`<p class="hint">${text('orgs.groupDeleteHint')}</p>
            ${button(text('orgs.groupDelete'), { kind: 'danger' })}`,
        )}
      </details>`,
  )
}

function addForm(
  frame: Frame,
  to: string,
  others: readonly { readonly id: string; readonly name: string }[],
  lifetimes: readonly LifetimeChoice[],
): Html {
  const { text } = frame
  return form(
    frame,
    { to, hidden: { action: 'add' } },
    html`<div class="field">
        <label for="member">${text('orgs.groupMember')}</label>
        <select id="member" name="memberId" dir="auto">
          ${others.map(({ id, name }) => html`<option value="${id}">${name}</option> `)}
        </select>
      </div>
      ${lifetimeSelect(frame, text('orgs.groupLasts'), lifetimes)}${button(text('orgs.groupAdd'))}`,
  )
}

function memberItem(
  frame: Frame,
  to: string,
  member: OrganizationGroupView['members'][number],
  canRemove: boolean,
): Html {
  const { text } = frame
  return html`<li>
    ${avatar(member)}
    <div>
      <p>
        <b><bdi>${member.name}</bdi></b>
        ${member.until !== undefined && html`<span class="badge">${text('orgs.until', { date: member.until })}</span>`}
      </p>
      ${
        canRemove &&
        form(
          frame,
          { to, hidden: { action: 'remove', memberId: member.id } },
          button(text('orgs.groupRemove'), {
            kind: 'secondary',
            spoken: `${text('orgs.groupRemove')} – ${member.name}`,
          }),
        )
      }
    </div>
  </li> `
}
