// A length of time as people enter it: a number with its unit, in place of a count of seconds or milliseconds.
import { useState } from 'react'
import { durationText } from '../values/duration-text.ts'
import { durationUnits, unitFor } from '../values/duration-units.ts'
import { type ControlProps, cleared } from './controls.tsx'
import type { Schema } from './schema.ts'

/** Says which lengths are allowed, in the units in which people think of them. */
function describeLimit(seconds: number | undefined, { minimum, maximum }: Schema): string {
  if (seconds === undefined) return ''
  if (minimum !== undefined && seconds < minimum) return `This must be at least ${durationText(minimum)}.`
  if (maximum !== undefined && seconds > maximum) return `This must be at most ${durationText(maximum)}.`
  return ''
}

const perSecond = (schema: Schema, factor: number): Schema => {
  const { minimum, maximum } = schema
  return {
    ...schema,
    ...(minimum === undefined ? {} : { minimum: minimum / factor }),
    ...(maximum === undefined ? {} : { maximum: maximum / factor }),
  }
}

export function DurationControl(props: ControlProps) {
  const { label, schema, isRequired, value, onChange, attributes, isMilliseconds = false } = props
  const factor = isMilliseconds ? 1000 : 1
  const limits = perSecond(schema, factor)
  const seconds = typeof value === 'number' ? value / factor : undefined
  const [chosen, choose] = useState<number>()
  const unit = chosen ?? unitFor(seconds ?? 0)
  const change = (text: string, by: number) => {
    choose(by)
    const count = Number(text)
    onChange(text === '' || !Number.isFinite(count) ? cleared(schema) : Math.round(count * by * factor))
  }
  return (
    <span className="duration">
      <input
        {...attributes}
        ref={(element) => element?.setCustomValidity(describeLimit(seconds, limits))}
        type="number"
        min={0}
        step="any"
        required={isRequired}
        value={seconds === undefined ? '' : seconds / unit}
        onChange={({ target }) => change(target.value, unit)}
      />
      <select
        aria-label={`Unit of ${label}`}
        disabled={attributes.disabled}
        value={unit}
        onChange={({ target }) =>
          seconds === undefined ? choose(Number(target.value)) : change(String(seconds / unit), Number(target.value))
        }
      >
        {durationUnits
          .filter(({ value: each }) => each <= (limits.maximum ?? each))
          .map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
      </select>
    </span>
  )
}
