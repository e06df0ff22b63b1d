// Fields for the attributes that a tenant has defined. Labels and help are the tenant's, in the reader's language as far as it has it.
import type { Attribute, TextByLanguage } from '@bailiwick/contract'
import type { Frame } from '../frame.ts'
import { type Html, flag, html } from '../html.ts'
import { type FieldErrors, describe, field, fieldId, isFocusedField } from './field.ts'
import { select } from './select.ts'

export interface AttributeFields {
  readonly attributes: readonly Attribute[]
  /** What was typed or is stored, as the form shows it; `true` for a box that is ticked. */
  readonly typed: Readonly<Record<string, string>>
}

/** Returns a text in the reader's language, else in English, else in the first language that it has. */
export const localized = (texts: TextByLanguage | undefined, { language }: Frame): string | undefined => {
  const byTag = texts as Readonly<Record<string, string | undefined>> | undefined
  return byTag === undefined ? undefined : (byTag[language.tag] ?? byTag['en'] ?? Object.values(byTag)[0])
}

/** The name of an attribute's field, which is also the path of its problems. */
const attributeField = (key: string) => `attributes/${key}`

const isWide = ({ type, maxLength = 200 }: Attribute) => type === 'text' && maxLength > 200

interface Shown {
  readonly attribute: Attribute
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly value: string
}

/** A field that `field` does not draw: a box to tick, or several lines of text. */
function ownField(errors: FieldErrors, { attribute, name, label, hint, value }: Shown): Html {
  const id = fieldId(name)
  const error = errors[name]
  const isRequired = attribute.required === true
  const described = describe(id, hint, error)
  const state = html`${isRequired && html` required`}${flag('autofocus', isFocusedField(errors, name))}${described !== '' && html` aria-describedby="${described}"`}${error !== undefined && html` aria-invalid="true"`}`
  const notes = html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p> `}${error !== undefined && html`<p class="error" id="${id}-error">${error}</p> `}`
  if (attribute.type === 'boolean') {
    return html`<div class="field">
      <label class="choice"
        ><input id="${id}" type="checkbox" name="${name}" value="true" ${value === 'true' && html`checked`}${state} />
        <span>${label}</span></label
      >
      ${notes}
    </div> `
  }
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea id="${id}" name="${name}" rows="4" dir="auto" maxlength="${attribute.maxLength ?? 200}" ${state}>
${value}</textarea>
    ${notes}
  </div> `
}

function attributeInput(frame: Frame, errors: FieldErrors, shown: Shown): Html {
  const { text } = frame
  const { attribute, name, label, hint, value } = shown
  const { type, choices = [], minimum, maximum, minLength, maxLength = 200 } = attribute
  const isOptional = attribute.required !== true
  if (type === 'boolean' || isWide(attribute)) return ownField(errors, shown)
  const hinted = hint === undefined ? {} : { hint }
  if (type === 'choice') {
    const options = choices.map((choice) => ({
      value: choice.value,
      label: localized(choice.label, frame) ?? choice.value,
    }))
    const error = errors[name]
    const none = text(isOptional ? 'profile.optional' : 'setup.choose')
    return select({ name, label, none, options, value, isRequired: !isOptional, ...hinted, error })
  }
  return field(frame, errors, {
    name,
    label,
    value,
    isOptional,
    autocomplete: 'off',
    ...hinted,
    ...(type === 'text' ? { maxlength: maxLength, ...(minLength === undefined ? {} : { minlength: minLength }) } : {}),
    ...(type === 'number' ? { type, min: minimum, max: maximum } : {}),
    ...(type === 'date' ? { type } : {}),
  })
}

export const attributeFields = (frame: Frame, errors: FieldErrors, { attributes, typed }: AttributeFields): Html[] =>
  attributes.map((attribute) => {
    const name = attributeField(attribute.key)
    const help = localized(attribute.help, frame)
    const isPlain = attribute.type !== 'boolean' && attribute.type !== 'choice' && attribute.required !== true
    return attributeInput(frame, errors, {
      attribute,
      name,
      label: localized(attribute.label, frame) ?? attribute.key,
      hint: help ?? (isPlain ? frame.text('profile.optional') : undefined),
      value: typed[attribute.key] ?? '',
    })
  })
