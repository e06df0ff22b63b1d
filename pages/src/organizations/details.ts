// One organization: its details, and leaving or deleting it.
import type { Frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { field } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { optionalLabel, slugField } from './create.ts'
import { type OrganizationView, avatar, organizationPage, organizationPath } from './shell.ts'

export interface OrganizationDetailsView extends OrganizationView {
  readonly role: string | null
  readonly members: number
  readonly isActive: boolean
  readonly canManage: boolean
  readonly canDelete: boolean
  /** The stored values, or those that the user entered. */
  readonly values: { readonly name: string; readonly slug: string; readonly imageUri: string }
}

export function organizationDetailsPage(frame: Frame, view: OrganizationDetailsView): string {
  const { text } = frame
  const { organization, canManage, canDelete, isActive } = view
  const { name } = organization
  const switchTo = form(
    frame,
    { to: '/organizations/switch', hidden: { organizationId: organization.id, back: 'details' } },
    button(text('orgs.switch'), { kind: 'secondary' }),
  )
  return organizationPage(
    frame,
    view,
    { title: name, section: 'details' },
    html`<div class="person">${avatar(organization)}${facts(frame, view)}</div>
      ${isActive ? html`<p><span class="badge">${text('orgs.active')}</span></p>` : switchTo}${canManage && editForm(frame, view)}
      <p class="row ways">
        ${link(frame, organizationPath(organization, 'leave'), text('orgs.leave'))}${canDelete && link(frame, organizationPath(organization, 'delete'), text('orgs.delete'))}
      </p>`,
  )
}

function facts({ text }: Frame, { role, members, values, canManage }: OrganizationDetailsView): Html {
  return html`<dl>
    <div>
      <dt>${text('orgs.yourRole')}</dt>
      <dd><bdi>${role ?? text('orgs.noRole')}</bdi></dd>
    </div>
    <div>
      <dt>${text('orgs.membersTitle')}</dt>
      <dd>${text('orgs.members', { count: members })}</dd>
    </div>
    ${
      !canManage &&
      html`<div>
        <dt>${text('orgs.slug')}</dt>
        <dd><bdi>${values.slug}</bdi></dd>
      </div>`
    }
  </dl>`
}

function editForm(frame: Frame, { organization, values, errors = {} }: OrganizationDetailsView): Html {
  const { text } = frame
  return form(
    frame,
    { to: organizationPath(organization) },
    html`${field(frame, errors, { name: 'name', label: text('orgs.name'), autocomplete: 'off', value: values.name, maxlength: 100 })}${slugField(frame, errors, values.slug, text('orgs.slugHint'))}${field(
      frame,
      errors,
      {
        name: 'imageUri',
        label: optionalLabel(frame, text('orgs.picture')),
        type: 'url',
        autocomplete: 'off',
        value: values.imageUri,
        hint: text('orgs.pictureHint'),
        isOptional: true,
      },
    )}${button(text('orgs.save'))}`,
  )
}
