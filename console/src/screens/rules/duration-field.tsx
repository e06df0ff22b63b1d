// A length of time: a number with its unit, in place of a count of seconds.
import { useId, useState } from 'react'
import { durationUnits, unitFor } from '../../values/duration-units.ts'

interface DurationFieldProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly problem: string | undefined
  readonly isDisabled: boolean
  /** In seconds. */
  readonly value: unknown
  readonly onChange: (seconds: unknown) => void
}

export function DurationField({ name, label, hint, problem, isDisabled, value, onChange }: DurationFieldProps) {
  const id = useId()
  const seconds = typeof value === 'number' ? value : undefined
  const [chosen, choose] = useState<number>()
  const unit = chosen ?? unitFor(seconds ?? 0)
  const notes = problem === undefined ? `${id}-hint` : `${id}-hint ${id}-problem`
  const give = (text: string, by: number) => {
    choose(by)
    const count = Number(text)
    onChange(text === '' || !Number.isFinite(count) ? undefined : Math.round(count * by))
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="duration">
        <input
          id={id}
          name={name}
          type="number"
          min={0}
          disabled={isDisabled}
          aria-invalid={problem !== undefined}
          aria-describedby={notes}
          value={seconds === undefined ? '' : seconds / unit}
          onChange={({ target }) => give(target.value, unit)}
        />
        <select
          aria-label={`Unit of ${label}`}
          disabled={isDisabled}
          value={unit}
          onChange={({ target }) => give(String((seconds ?? 0) / unit), Number(target.value))}
        >
          {durationUnits.map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
      </span>
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  )
}
