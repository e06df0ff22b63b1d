import type { Static } from 'typebox'
import { array, boolean, id, nullableText, object, oneOf, optional, plainId, text, timestamp } from '../../schema.ts'
import { Type } from '../../type.ts'
import { channelTypes } from './channel.ts'

/** The content of one kind of message. */
export const Template = object({
  id: text(),
  tenantId: text(),
  type: oneOf(channelTypes),
  name: text(),
  subject: nullableText(),
  body: text(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Template = Static<typeof Template>

const name = text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })
const subject = optional(nullableText({ maxLength: 500 }))
const body = text({ minLength: 1, maxLength: 50_000 })

/** What a template is created with. */
export const CreateTemplate = object({ tenantId: id(), type: oneOf(channelTypes), name, subject, body })
export type CreateTemplate = Static<typeof CreateTemplate>

/** The properties of a template to change. */
export const UpdateTemplate = object({
  name: optional(name),
  subject,
  body: optional(body),
  type: optional(oneOf(channelTypes, { description: 'The present type of the template; it cannot be changed' })),
})
export type UpdateTemplate = Static<typeof UpdateTemplate>

/** What a template says. Its other fields are changed with the template itself. */
export const TemplateContent = object({ subject: Template.properties.subject, body: Template.properties.body })
export type TemplateContent = Static<typeof TemplateContent>
/** The content of a template to change. */
export const UpdateTemplateContent = object({
  subject: UpdateTemplate.properties.subject,
  body: UpdateTemplate.properties.body,
})

/** Between which tenants all templates are copied. */
export const CloneAllTemplates = object({
  fromTenantId: id({ description: 'The id of the tenant whose templates are copied' }),
  toTenantId: id({ description: 'The id of the tenant that gets the copies' }),
})
/** Which templates were copied, and which could not be. */
export const ClonedAllTemplates = object({
  successes: array(text(), { description: "The ids of the other tenant's templates that are now identical" }),
  failures: array(text(), {
    description: 'The ids of the templates that were not changed, because they are for another type of channel',
  }),
})

export const cloneTemplatesMax = 200

/** Which templates are copied, and to which tenant. */
export const CloneTemplates = object({
  tenantId: id({ description: 'The id of the tenant whose templates are copied' }),
  toTenantId: id({ description: 'The id of the tenant that gets the copies' }),
  templates: optional(
    array(plainId(), {
      minItems: 1,
      maxItems: cloneTemplatesMax,
      uniqueItems: true,
      description: 'Ids or names of the templates to copy; all if left out',
    }),
  ),
  overwrite: optional(
    boolean({
      description: 'Whether templates of the other tenant with the same names are replaced. Otherwise they are skipped',
    }),
  ),
})
export type CloneTemplates = Static<typeof CloneTemplates>

export const cloneOutcomes = ['created', 'overwritten', 'unchanged', 'skipped'] as const

/** The result for each template, in the order of the source. */
export const ClonedTemplates = object({
  templates: array(
    object({
      id: text({ description: "The id of the other tenant's template" }),
      name: text(),
      type: oneOf(channelTypes),
      outcome: oneOf(cloneOutcomes, {
        description:
          'unchanged: the other tenant has an identical template; skipped: it has a different template of that name, and `overwrite` is off or the template is for another type of channel',
      }),
    }),
  ),
})
export type ClonedTemplates = Static<typeof ClonedTemplates>

/** What a template is rendered with for a preview. */
export const PreviewTemplate = object({
  subject: optional(nullableText({ maxLength: 500, description: 'Replaces the saved one for this preview' })),
  body: optional(text({ minLength: 1, maxLength: 50_000, description: 'Replaces the saved one for this preview' })),
  variables: Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-bytes-max': 16_384 }),
})
export type PreviewTemplate = Static<typeof PreviewTemplate>

/** The content of a rendered message. html is null for kinds of messages that have none. */
export const RenderedTemplate = object({ subject: nullableText(), html: nullableText(), text: text() })
export type RenderedTemplate = Static<typeof RenderedTemplate>
