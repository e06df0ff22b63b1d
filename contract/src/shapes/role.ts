import type { Static } from 'typebox'
import { array, id, integer, nullableText, object, optional, text, timestamp } from '../schema.ts'

export const Role = object({
  id: text(),
  name: text(),
  description: nullableText(),
  permissions: array(text()),
  tenantId: text(),
  _count: object({ users: integer(), members: integer() }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type Role = Static<typeof Role>

const name = text({ minLength: 1, maxLength: 64, format: 'text', pattern: '\\S' })
const details = {
  description: optional(nullableText({ maxLength: 1000 })),
  permissions: optional(array(text({ format: 'permission' }), { maxItems: 200 })),
}

export const CreateRole = object({ tenantId: id(), name, ...details })
export type CreateRole = Static<typeof CreateRole>

export const UpdateRole = object({ name: optional(name), ...details })
export type UpdateRole = Static<typeof UpdateRole>
