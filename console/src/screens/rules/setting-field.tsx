import { schemas } from 'virtual:operation-schemas'
import { Field } from '../../form/field.tsx'
import { schemaAt } from '../../form/schema.ts'
import { durationText } from '../../parts/duration-text.ts'
import { type SettingName, withNamesOfSettings } from './setting-names.ts'

interface SettingFieldProps {
  readonly name: SettingName
  readonly label: string
  readonly value: unknown
  readonly isDisabled: boolean
  readonly isChanged: boolean
  readonly problem: string | undefined
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: unknown) => void
}

const isSeconds = (name: SettingName) => name === 'sessionMaximumLifetime' || name === 'sessionInactivityTimeout'

/** An empty field says by itself that it is null; what holds otherwise is the default. */
const inPlainWords = (description: string) =>
  description.replace(/ ?null unless set\.$/, '').replace(/(On|Off) unless set\.$/, '$1 by default.')

/** One rule with its effect, default and unit from the contract. */
export function SettingField({ name, label, value, options, isChanged, ...rest }: SettingFieldProps) {
  const schema = schemaAt(schemas.putAuthTenant.body, name)
  const range =
    schema.minimum === undefined || !isSeconds(name)
      ? ''
      : ` From ${durationText(schema.minimum)} to ${durationText(schema.maximum ?? 0)}.`
  const about = withNamesOfSettings(inPlainWords(schema.description ?? ''))
  const hint =
    isSeconds(name) && typeof value === 'number'
      ? `${durationText(value)}. ${about}${range}`
      : about === ''
        ? undefined
        : about
  return (
    <div className={isChanged ? 'setting changed-setting' : 'setting'}>
      <Field
        {...rest}
        name={name}
        label={isSeconds(name) ? `${label} (seconds)` : label}
        schema={schema}
        isRequired={schema.type === 'boolean' || schema.type === 'integer'}
        value={value}
        hint={hint}
        {...(options === undefined ? {} : { options })}
      />
    </div>
  )
}
