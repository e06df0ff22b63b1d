import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { id, nullableText, object, oneOf, optional, text, timestamp } from '../schema.ts'
import { channelTypes } from './channel.ts'

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

export const CreateTemplate = object({ tenantId: id(), type: oneOf(channelTypes), name, subject, body })
export type CreateTemplate = Static<typeof CreateTemplate>

export const UpdateTemplate = object({ name: optional(name), subject, body: optional(body) })
export type UpdateTemplate = Static<typeof UpdateTemplate>

export const PreviewTemplate = object({
  variables: Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-bytes-max': 16_384 }),
})
export type PreviewTemplate = Static<typeof PreviewTemplate>

/** What a message would say. html is null for kinds of message that have none. */
export const RenderedTemplate = object({ subject: nullableText(), html: nullableText(), text: text() })
export type RenderedTemplate = Static<typeof RenderedTemplate>
