// Asks for confirmation before what cannot be undone: leaving an organization, and deleting it.
import type { Frame } from '../frame.ts'
import { html } from '../html.ts'
import { button, form, link } from '../parts/form.ts'
import { isolated } from '../parts/isolated.ts'
import { type OrganizationView, organizationPage, organizationPath } from './shell.ts'

export function leaveOrganizationPage(frame: Frame, view: OrganizationView): string {
  const { text } = frame
  const title = text('orgs.leaveTitle', { name: isolated(frame, view.organization.name) })
  return confirm(frame, view, { title, lead: text('orgs.leaveLead'), to: 'leave', submit: text('orgs.leaveSubmit') })
}

export function deleteOrganizationPage(frame: Frame, view: OrganizationView): string {
  const { text } = frame
  const title = text('orgs.deleteTitle', { name: isolated(frame, view.organization.name) })
  return confirm(frame, view, { title, lead: text('orgs.deleteLead'), to: 'delete', submit: text('orgs.deleteSubmit') })
}

interface Question {
  readonly title: string
  readonly lead: string
  readonly to: 'leave' | 'delete'
  readonly submit: string
}

function confirm(frame: Frame, view: OrganizationView, { title, lead, to, submit }: Question): string {
  const { organization } = view
  return organizationPage(
    frame,
    view,
    { title, lead, section: 'details' },
    html`${form(frame, { to: organizationPath(organization, to) }, button(submit, { kind: 'danger' }))}
      <p class="row">${link(frame, organizationPath(organization), frame.text('orgs.cancel'))}</p>`,
  )
}
