// The attributes that the tenant asks new users for, with the labels of the tenant.
import type { Attribute, TextByLanguage } from '@bailiwick/contract'
import { useId } from 'react'
import type { FormLook } from './form-look.ts'
import { Field } from './form.tsx'
import type { Problems } from './problems.ts'

type Values = Readonly<Record<string, string>>

const prefix = 'attributes/'

const localized = (texts: TextByLanguage, language: string): string => {
  const byTag: Readonly<Record<string, string | undefined>> = texts
  return byTag[language] ?? byTag[language.split('-', 1)[0] ?? ''] ?? byTag['en'] ?? Object.values(byTag)[0] ?? ''
}

/** Returns the body of a request from the values of a form; numbers and ticked boxes get their types. */
export function toBody(attributes: readonly Attribute[], values: Values) {
  const own: Record<string, unknown> = {}
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith(prefix)) fields[name] = value
    else if (value !== '') {
      const key = name.slice(prefix.length)
      const type = attributes.find((each) => each.key === key)?.type
      own[key] = type === 'number' ? Number(value) : type === 'boolean' ? true : value
    }
  }
  return Object.keys(own).length === 0 ? fields : { ...fields, attributes: own }
}

/** Returns the attributes that sign-up asks for: all at first, then those that are missing. */
export const askedAttributes = (attributes: readonly Attribute[], missing: readonly string[] | undefined) =>
  attributes.filter(
    ({ key, shownAt }) => shownAt !== 'profile' && (missing === undefined || missing.includes(prefix + key)),
  )

interface AttributeProps {
  readonly attribute: Attribute
  readonly language: string
  readonly look: FormLook
  readonly problems: Problems
}

/** A field that is no input of one line. */
function OtherField({ attribute, language, look, problems }: AttributeProps) {
  const { choices = [], key, maxLength, required = false, type } = attribute
  const { classes } = look
  const name = prefix + key
  const id = useId()
  const error = problems.fields[name]
  const label = localized(attribute.label, language)
  const attributes = {
    id,
    name,
    required,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  }
  const note = error !== undefined && (
    <p id={`${id}-error`} className={classes('bw-error', 'error')}>
      {error}
    </p>
  )
  if (type === 'boolean') {
    return (
      <div className={classes('bw-field', 'field')}>
        <label className={classes('bw-check', 'label')}>
          <input {...attributes} type="checkbox" value="true" />
          {label}
        </label>
        {note}
      </div>
    )
  }
  return (
    <div className={classes('bw-field', 'field')}>
      <label htmlFor={id} className={classes('bw-label', 'label')}>
        {label}
      </label>
      {type === 'choice' ? (
        <select {...attributes} className={classes('bw-input', 'input')}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label === undefined ? choice.value : localized(choice.label, language)}
            </option>
          ))}
        </select>
      ) : (
        <textarea {...attributes} rows={4} maxLength={maxLength} className={classes('bw-input', 'input')} />
      )}
      {note}
    </div>
  )
}

function AttributeField(props: AttributeProps) {
  const { attribute, language, look, problems } = props
  const { key, maxLength = 200, maximum, minLength, minimum, required = false, type } = attribute
  const isInput = type === 'number' || type === 'date' || (type === 'text' && maxLength <= 200)
  if (!isInput) return <OtherField {...props} />
  const bounds =
    type === 'number'
      ? { min: minimum, max: maximum, step: 'any' }
      : type === 'text'
        ? { minLength, maxLength }
        : undefined
  const label = localized(attribute.label, language)
  return (
    <Field {...bounds} type={type} name={prefix + key} {...{ label, look, problems, required }} autoComplete="off" />
  )
}

interface AttributeFieldsProps extends Omit<AttributeProps, 'attribute'> {
  readonly attributes: readonly Attribute[]
}

export const AttributeFields = ({ attributes, ...props }: AttributeFieldsProps) =>
  attributes.map((attribute) => <AttributeField key={attribute.key} attribute={attribute} {...props} />)
