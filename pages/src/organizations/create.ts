import type { Frame } from '../frame.ts'
import { html } from '../html.ts'
import { type FieldErrors, field } from '../parts/field.ts'
import { button, form, link } from '../parts/form.ts'
import { type AreaView, organizationsPage } from './shell.ts'

export interface CreateOrganizationView extends AreaView {
  readonly name?: string | undefined
  readonly slug?: string | undefined
}

export function createOrganizationPage(frame: Frame, view: CreateOrganizationView): string {
  const { text } = frame
  const { name = '', slug = '', errors = {} } = view
  return organizationsPage(
    frame,
    view,
    { title: text('orgs.create'), back: 'organizations' },
    html`${form(
        frame,
        { to: '/organizations/new' },
        html`${field(frame, errors, { name: 'name', label: text('orgs.name'), autocomplete: 'off', value: name, maxlength: 100, isFocused: true })}${slugField(frame, errors, slug, text('orgs.slugEmpty'), true)}${button(text('orgs.createSubmit'))}`,
      )}
      <p class="row">${link(frame, '/organizations', text('orgs.cancel'))}</p>`,
  )
}

/** Returns the field for the slug. */
export const slugField = (frame: Frame, errors: FieldErrors, value: string, hint: string, isOptional = false) =>
  field(frame, errors, {
    name: 'slug',
    label: isOptional ? optionalLabel(frame, frame.text('orgs.slug')) : frame.text('orgs.slug'),
    autocomplete: 'off',
    value,
    hint,
    maxlength: 32,
    isOptional,
  })

export const optionalLabel = ({ text }: Frame, label: string): string => `${label} (${text('orgs.optional')})`
