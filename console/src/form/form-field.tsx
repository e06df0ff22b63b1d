// A field of a form, as its details, its schema and the record say.
import { translate } from '../texts/translate.ts'
import { type FieldDetails, type FormValues, labelOf } from './field-spec.ts'
import { Field } from './field.tsx'
import { type Edits, isSame, valueAt } from './form-state.ts'
import { type Schema, isRequiredAt, schemaAt } from './schema.ts'

interface FormFieldProps {
  readonly details: FieldDetails
  /** The schema of the whole body. */
  readonly schema: Schema | undefined
  readonly record: object | undefined
  readonly edits: Edits
  readonly values: FormValues
  readonly isDisabled: boolean
  readonly problemAt: (path: string) => string | undefined
  readonly onEdit: (name: string, value: unknown) => void
}

const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

export function FormField({
  details,
  schema,
  record,
  edits,
  values: { typed, present },
  isDisabled,
  problemAt,
  onEdit,
}: FormFieldProps) {
  const { name, options, ...look } = details
  const edited = edits.get(name)
  const current = valueAt(record, name)
  const entered = edited === undefined ? (valueAt(typed, name) ?? current) : edited.value
  const value = entered === undefined ? details.fallback?.(present) : entered
  const onChange = (next: unknown) => onEdit(name, next)
  if (details.render !== undefined) return details.render({ value, onChange, isDisabled, problemAt })
  const fieldSchema = details.schema ?? schemaAt(schema, name)
  const choices = typeof options === 'function' ? options(present) : options
  return (
    <Field
      {...look}
      name={name}
      {...(choices === undefined ? {} : { options: choices })}
      label={details.label ?? translate(labelOf(name))}
      hint={details.hint}
      schema={fieldSchema}
      isRequired={details.isRequired ?? isRequiredAt(schema, name)}
      isDisabled={isDisabled}
      isOfRecord={record !== undefined}
      value={value}
      onChange={onChange}
      problem={problemAt(name)}
      changedTo={edited !== undefined && !isSame(edited.base, current) ? valueText(current) : undefined}
    />
  )
}
