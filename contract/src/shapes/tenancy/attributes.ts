// What a tenant asks its users beside the standard fields. The values are in publicMeta, under the keys of the attributes.
import type { Static } from 'typebox'
import { type Language, languages } from '../../languages.ts'
import { array, boolean, integer, metaJson, number, object, oneOf, optional, text } from '../../schema.ts'
import { Type } from '../../type.ts'

export const attributeTypes = ['text', 'number', 'boolean', 'choice', 'date'] as const
export type AttributeType = (typeof attributeTypes)[number]
export const attributePlaces = ['sign_up', 'profile', 'both', 'nowhere'] as const
export type AttributePlace = (typeof attributePlaces)[number]

const line = () => text({ minLength: 1, maxLength: 200, format: 'plain-line', pattern: '\\S' })

export type TextByLanguage = Readonly<Partial<Record<Language, string>>>
/** A text in one or more languages. Whoever reads none of them gets the first. */
export const TextByLanguage = Type.Unsafe<TextByLanguage>({
  ...object(Object.fromEntries(languages.map((language) => [language, optional(line())])), { minProperties: 1 }),
  description: 'The text by language. A reader of none of these languages gets the English one, or else the first.',
})

/** One attribute: its key, its type with the rules for values, and how forms ask for it. */
export const Attribute = object({
  key: text({
    pattern: '^[a-z][A-Za-z0-9_]{0,39}$',
    maxLength: 40,
    description: 'The name of the value in publicMeta, such as company',
  }),
  type: oneOf(attributeTypes, { description: 'A date is text such as 2026-11-27' }),
  label: TextByLanguage,
  help: optional(TextByLanguage),
  required: optional(
    boolean({
      description:
        'Whether new users must have a value; a boolean must be true. Only for attributes that users write at sign-up',
    }),
  ),
  writableBy: oneOf(['user', 'server'], {
    description: 'user: the user, and administrators; server: only servers and administrators',
  }),
  shownAt: oneOf(attributePlaces, { description: 'The forms that ask for it' }),
  minLength: optional(integer({ minimum: 0, maximum: 1000, description: 'Of a text, in characters' })),
  maxLength: optional(integer({ minimum: 1, maximum: 1000, description: 'Of a text, in characters. Default: 200' })),
  minimum: optional(number({ minimum: -1e15, maximum: 1e15, description: 'Of a number' })),
  maximum: optional(number({ minimum: -1e15, maximum: 1e15, description: 'Of a number' })),
  choices: optional(
    array(object({ value: text({ pattern: '^[\\w.-]{1,64}$', maxLength: 64 }), label: optional(TextByLanguage) }), {
      minItems: 1,
      maxItems: 50,
      description: 'The values that a choice can have',
    }),
  ),
})
export type Attribute = Static<typeof Attribute>

/** The attributes of a tenant, in the order of forms. A change replaces all of them, and never changes a value. */
export const UpdateAttributes = object({ attributes: array(Attribute, { maxItems: 20 }) })
export type UpdateAttributes = Static<typeof UpdateAttributes>

/** The attributes of a tenant, with the number of their version. */
export const TenantAttributes = object({
  ...UpdateAttributes.properties,
  version: integer({ description: '0 until the attributes are changed for the first time' }),
})
export type TenantAttributes = Static<typeof TenantAttributes>

/** What a change of the attributes would mean for users. */
export const AttributesPreview = object({
  users: integer({ description: 'How many users were read, newest first; at most 10,000' }),
  isWhole: boolean({ description: 'Whether these are all users' }),
  attributes: array(
    object({
      key: text(),
      lacking: integer({ description: 'How many users have no value' }),
      breaking: integer({ description: 'How many users have a value that is not allowed. It stays as it is' }),
    }),
  ),
})
export type AttributesPreview = Static<typeof AttributesPreview>

/** Values by the keys of attributes, as requests of users contain them. */
export const attributeValues = () =>
  metaJson({
    type: 'object',
    description: "Values of the tenant's attributes by key, which are stored in publicMeta; null removes one",
  })
