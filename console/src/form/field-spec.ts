// How a screen names the fields of a form, and what is shown for a field when the screen says nothing.
import type { ReactNode } from 'react'
import type { FieldProps, Option } from './controls.tsx'
import { type Edits, type Values, bodyOf } from './form-state.ts'
import type { Schema } from './schema.ts'

export interface OwnControl {
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isDisabled: boolean
  /** The problem at a path in the body. */
  readonly problemAt: (path: string) => string | undefined
}

/** A field by its path in the body, with details that the schema cannot express. */
export interface FieldDetails extends Pick<
  FieldProps,
  | 'hint'
  | 'emptyLabel'
  | 'isSeconds'
  | 'isMilliseconds'
  | 'isTime'
  | 'isMultiline'
  | 'isRadio'
  | 'isCode'
  | 'placeholder'
  | 'autoComplete'
> {
  readonly name: string
  readonly label?: string
  /** Fields of one section follow each other; the form shows its title above the first of them. */
  readonly section?: string
  /** Choices with names of their own, which may depend on the other fields. */
  readonly options?: readonly Option[] | ((body: Values) => readonly Option[])
  /** Shown while no value is given: the default that the service then uses. */
  readonly fallback?: (body: Values) => unknown
  /** Shown only while this is true of the body. */
  readonly isShown?: (body: Values) => boolean
  /** The rules of a value that the contract leaves open, such as the settings of one provider. */
  readonly schema?: Schema
  readonly isRequired?: boolean
  /** Draws the field by itself, for values that no single control can hold. */
  readonly render?: (control: OwnControl) => ReactNode
}

export type FieldSpec = string | FieldDetails

/** What the fields of a form amount to at a moment. */
export interface FormValues {
  readonly visible: readonly FieldDetails[]
  /** The fixed values, the initial ones, and those that were typed: what is sent. */
  readonly typed: Values
  /** The same over the values of the record. */
  readonly present: Values
}

export function readFields(
  fields: readonly FieldSpec[],
  { record, start }: { readonly record: object | undefined; readonly start: Values },
  edits: Edits,
): FormValues {
  const details = fields.map((field) => (typeof field === 'string' ? { name: field } : field))
  const initial = { ...record, ...start }
  const all = bodyOf(initial, edits)
  // One name can have several fields, such as the choice of the provider for each kind of channel; one of them at most is shown.
  const visible = details.filter(({ isShown }) => isShown?.(all) !== false)
  const hidden = new Set(details.map(({ name }) => name))
  for (const { name } of visible) hidden.delete(name)
  // What was typed into a field that is no longer shown is not sent, but kept in case the field is shown again.
  const sent: Edits = new Map([...edits].filter(([name]) => !hidden.has(name)))
  return { visible, typed: bodyOf(start, sent), present: bodyOf(initial, sent) }
}

export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns `messagesPerDay` as "Messages per day". */
export const labelOf = (name: string) =>
  sentence(
    (name.split('/').at(-1) ?? name)
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/\b(?:api|id|sid|url)\b/g, (word) => word.toUpperCase())
      .replace(/\buri\b/g, 'address'),
  )
