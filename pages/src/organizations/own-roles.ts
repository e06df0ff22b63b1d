// The roles of an organization's own, and one of them: its name, and what it allows.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field, type FieldErrors } from '../parts/field.ts'
import { button, form } from '../parts/form.ts'
import { type OrganizationView, organizationPage, organizationPath } from './shell.ts'

interface RoleValues {
  readonly name: string
  readonly permissions: readonly string[]
}

export interface OwnRolesView extends OrganizationView {
  readonly roles: readonly ({ readonly id: string } & RoleValues)[]
  /** What the reader can put into a role. */
  readonly choices: readonly string[]
  readonly values: RoleValues
}

export function ownRolesPage(frame: Frame, view: OwnRolesView): string {
  const { text, root } = frame
  const { organization, roles, choices, values, errors = {} } = view
  const items = roles.map(
    ({ id, name, permissions }) =>
      html`<li>
        <div>
          <p>
            <a href="${root}${organizationPath(organization, 'roles', id)}"><bdi>${name}</bdi></a>
          </p>
          <p class="hint">${permissions.length === 0 ? text('orgs.roleNothing') : permissions.join(', ')}</p>
        </div>
      </li> `,
  )
  return organizationPage(
    frame,
    view,
    { title: text('orgs.rolesTitle'), lead: text('orgs.rolesLead'), section: 'roles' },
    html`${
      roles.length === 0
        ? html`<p class="hint">${text('orgs.noRoles')}</p> `
        : html`<ul class="list plain">
            ${items}
          </ul> `
    }${form(
      frame,
      { to: organizationPath(organization, 'roles') },
      html`${roleFields(frame, errors, { choices, values, withheld: [] })}${button(text('orgs.roleCreate'), {
        kind: roles.length === 0 ? 'primary' : 'secondary',
      })}`,
    )}`,
  )
}

export interface OwnRoleView extends OrganizationView {
  readonly role: { readonly id: string } & RoleValues
  /** Those of the permissions that the role does not give now. */
  readonly withheld: readonly string[]
  readonly choices: readonly string[]
  readonly canChange: boolean
  readonly values: RoleValues
}

export function ownRolePage(frame: Frame, view: OwnRoleView): string {
  const { text } = frame
  const { organization, role, canChange, errors = {} } = view
  const to = organizationPath(organization, 'roles', role.id)
  const all = [...new Set([...view.choices, ...role.permissions])]
  return organizationPage(
    frame,
    view,
    { title: role.name, section: 'roles' },
    canChange
      ? html`${form(
          frame,
          { to, hidden: { action: 'save' } },
          html`${roleFields(frame, errors, { ...view, choices: all })}${button(text('orgs.save'))}`,
        )}${form(
          frame,
          { to, hidden: { action: 'delete' } },
          html`<p class="hint">${text('orgs.roleDeleteHint')}</p>
            ${button(text('orgs.roleDelete'), { kind: 'danger' })}`,
        )}`
      : html`<p>${text('orgs.roleFixed')}</p>
          <ul>
            ${role.permissions.map((permission) => html`<li>${permission}</li> `)}
          </ul> `,
  )
}

interface FieldsView {
  readonly choices: readonly string[]
  readonly withheld: readonly string[]
  readonly values: RoleValues
}

const roleFields = (frame: Frame, errors: FieldErrors, { choices, withheld, values }: FieldsView): Html =>
  html`${field(frame, errors, {
    name: 'name',
    label: frame.text('orgs.name'),
    type: 'text',
    autocomplete: 'off',
    maxlength: 64,
    value: values.name,
  })}${
    choices.length > 0 &&
    html`<div class="field" role="group" aria-labelledby="may" aria-describedby="may-hint">
      <p id="may"><b>${frame.text('orgs.roleMay')}</b></p>
      ${choices.map(
        (permission) =>
          html`<label class="choice">
            <input
              type="checkbox"
              name="may:${permission}"
              value="1"
              ${values.permissions.includes(permission) && html`checked`}
            />
            <span
              ><bdi>${permission}</bdi>${
                withheld.includes(permission) && html` <small>(${frame.text('orgs.roleWithheld')})</small>`
              }</span
            >
          </label> `,
      )}
      <p class="hint" id="may-hint">${frame.text('orgs.roleMayHint')}</p>
    </div> `
  }`
