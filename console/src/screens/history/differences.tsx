import type { SettingsDifference } from '@bailiwick/contract'
import { translate } from '../../texts/translate.ts'
import { durationText } from '../../values/duration-text.ts'

/** Settings that are lengths of time in seconds say so by their names. */
const isLength = (setting: string) => /(?:Lifetime|Timeout|Ttl|Seconds)$/.test(setting)

function describe(value: unknown, setting: string): string {
  if (value === true) return translate('on')
  if (value === false) return translate('off')
  if (value === null || value === undefined) return 'not set'
  if (typeof value === 'number' && isLength(setting)) return durationText(value)
  if (Array.isArray(value))
    return value.length === 0 ? translate('none') : value.map((each) => describe(each, setting)).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

interface DifferencesProps {
  readonly of: readonly SettingsDifference[]
  readonly nameOf: (setting: string) => string
}

/** The differences between two states of a document: before and after. */
export function Differences({ of, nameOf }: DifferencesProps) {
  return (
    <dl className="differences">
      {of.map(({ setting, from, to }) => (
        <div key={setting}>
          <dt>{nameOf(setting)}</dt>
          <dd>
            <del>{describe(from, setting)}</del> <span aria-hidden="true">→</span> <ins>{describe(to, setting)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
