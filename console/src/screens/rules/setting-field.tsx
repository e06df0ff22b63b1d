import { type Setting, type SettingName, tenantAuthSettings } from '@bailiwick/contract'
import { schemas } from 'virtual:operation-schemas'
import { Field } from '../../form/field.tsx'
import { schemaAt } from '../../form/schema.ts'
import { locale, translate } from '../../texts/translate.ts'
import { durationText } from '../../values/duration-text.ts'
import { withNamesOfSettings } from './setting-names.ts'

interface SettingFieldProps {
  readonly name: SettingName
  readonly value: unknown
  readonly isDisabled: boolean
  readonly isChanged: boolean
  readonly problem: string | undefined
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: unknown) => void
}

const inSeconds = (setting: Setting) => setting.kind === 'integer' && setting.unit === 'seconds'

/** An empty field says by itself that it is not set; what holds otherwise is the default. */
function defaultText(setting: Setting): string {
  if (setting.kind === 'boolean') return setting.default ? 'On by default.' : 'Off by default.'
  if (setting.kind !== 'integer' || setting.default === 0) return ''
  return `Default: ${inSeconds(setting) ? durationText(setting.default) : setting.default.toLocaleString(locale)}.`
}

function hintFor(setting: Setting): string {
  const sentences = [withNamesOfSettings(setting.help), defaultText(setting)]
  if (setting.kind === 'integer' && inSeconds(setting)) {
    sentences.push(`From ${durationText(setting.minimum)} to ${durationText(setting.maximum)}.`)
  }
  if (setting.kind === 'list') sentences.push('One on each line.')
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** A number has its unit in its label, unless the label says what is counted. */
function labelOf(setting: Setting): string {
  if (setting.kind !== 'integer' || inSeconds(setting)) return setting.label
  const unit = translate(setting.unit)
  return setting.label.toLowerCase().includes(unit.toLowerCase()) ? setting.label : `${setting.label} (${unit})`
}

/** One rule, with its label, help, default and unit from the contract. */
export function SettingField({ name, value, options, isChanged, ...rest }: SettingFieldProps) {
  const setting: Setting = tenantAuthSettings[name]
  const hint = hintFor(setting)
  return (
    <div className={isChanged ? 'setting changed-setting' : 'setting'}>
      <Field
        {...rest}
        name={name}
        label={labelOf(setting)}
        schema={schemaAt(schemas.putAuthTenant.body, name)}
        isSeconds={inSeconds(setting)}
        isTime={setting.kind === 'time'}
        isRequired={setting.kind === 'boolean' || setting.kind === 'integer' || setting.kind === 'choice'}
        value={value}
        hint={hint}
        {...(options === undefined ? {} : { options })}
      />
    </div>
  )
}
