import type { SettingsDifference } from '@bailiwick/contract'

function shown(value: unknown): string {
  if (value === true) return 'on'
  if (value === false) return 'off'
  if (value === null || value === undefined) return 'not set'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join(', ')
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
            <del>{shown(from)}</del> <span aria-hidden="true">→</span> <ins>{shown(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
