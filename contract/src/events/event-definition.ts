// How an event type is declared, and the shapes that many types share.
import type { TObject, TProperties, TSchema } from 'typebox'
import { type TenantPermission, roleFlags } from '../permissions.ts'
import { anyJson, array, boolean, nullableText, object, text } from '../schema.ts'
import { Type } from '../type.ts'

export interface EventDefinition {
  /** The kind of record that the event is about. */
  readonly subject: string
  /** What a caller needs to have events of this type sent to a webhook: the permission to read what they contain. */
  readonly permission: TenantPermission
  /** One sentence for people that says what has happened. */
  readonly sentence: string
  readonly data: TSchema
  /** The event's personal data, readable as long as the person's user exists. */
  readonly personal?: TObject
}

/** Declares an event type; the type parameter keeps its exact shapes. */
export const event = <const E extends EventDefinition>(definition: E): E => definition

/** For events without data beyond their subject. */
export const nothing = () =>
  Type.Unsafe<Readonly<Record<string, never>>>({ type: 'object', properties: {}, additionalProperties: false })

/** A change of something that is described in the same way before and after it. */
export const change = <P extends TProperties>(properties: P) => ({
  before: object(properties),
  after: object(properties),
})

/** An object whose properties depend on the record. */
export const record = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: anyJson(), description })

export const recordOfIntegers = (description: string) =>
  Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description,
  })

const flagProperties = Object.fromEntries(roleFlags.map((flag) => [flag, boolean()])) as Record<
  (typeof roleFlags)[number],
  ReturnType<typeof boolean>
>

/** The nine flags of a tenant member. */
export const flags = () => object(flagProperties)

export const texts = () => array(text())
export const roleId = { roleId: nullableText() }
