// The controls of fields, one for each kind of value.
import { type ReactNode, useState } from 'react'
import { type Schema, constraintsOf, isNullable, namedChoicesOf } from './schema.ts'

/** One of the values that a field takes. */
export interface Option {
  readonly value: string
  readonly label: string
  /** An explanation, where several can be ticked. */
  readonly about?: string
}

export interface FieldProps {
  /** The path of the value in the body, such as `providerSettings/host`. */
  readonly name: string
  readonly label: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  /** The problem with its value. */
  readonly problem: string | undefined
  /** The value that somebody else has given it since it was changed in this form. */
  readonly changedTo?: string | undefined
  readonly hint?: ReactNode
  /** Choices with names of their own; else the values of the schema. */
  readonly options?: readonly Option[]
  /** The label of the choice that means no value. */
  readonly emptyLabel?: string
  /** Whether the number is a length of time in seconds, which is entered with a unit. */
  readonly isSeconds?: boolean
  /** The same in milliseconds. */
  readonly isMilliseconds?: boolean
  /** Whether the text is a point in time, which is entered in the time zone of the browser. */
  readonly isTime?: boolean
  readonly isMultiline?: boolean
  /** Whether the choices are all seen at once, with what each means. */
  readonly isRadio?: boolean
  /** Shown in a fixed-width font, with more lines. */
  readonly isCode?: boolean
  readonly isDisabled?: boolean
  /** Set for a field of an existing record: any field may be left unchanged, so none is marked as optional. */
  readonly isOfRecord?: boolean
  readonly placeholder?: string
  readonly autoComplete?: string
}

export interface ControlProps extends FieldProps {
  readonly attributes: {
    readonly id: string
    readonly name: string
    readonly disabled: boolean
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string | undefined
  }
}

/** Returns what a cleared field sends: null if the service accepts null for "none", otherwise nothing. */
export const cleared = (schema: Schema) => (isNullable(schema) ? null : undefined)
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : typeof value === 'number' && !Number.isNaN(value) ? String(value) : ''

export function TextControl({
  schema,
  isRequired,
  value,
  onChange,
  attributes,
  isMultiline,
  isCode = false,
  placeholder,
  autoComplete,
}: ControlProps) {
  const { type, ...rules } = constraintsOf(schema, isRequired)
  const set = (text: string) => onChange(text === '' ? cleared(schema) : text)
  if (isMultiline === true) {
    const { minLength, maxLength, required } = rules
    const kept = {
      ...(minLength ? { minLength } : {}),
      ...(maxLength ? { maxLength } : {}),
      ...(required ? { required } : {}),
    }
    return (
      <textarea
        {...attributes}
        {...kept}
        rows={isCode ? 18 : 3}
        className={isCode ? 'code' : undefined}
        spellCheck={!isCode}
        value={textOf(value)}
        onChange={(event) => set(event.target.value)}
      />
    )
  }
  return (
    <input
      {...attributes}
      {...rules}
      type={type}
      value={textOf(value)}
      placeholder={placeholder}
      autoComplete={autoComplete ?? (type === 'password' ? 'new-password' : 'off')}
      spellCheck={false}
      onChange={(event) => set(event.target.value)}
    />
  )
}

/** The zone in which times are entered. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

/** Returns a point in time as the browser's field for date and time shows it. */
function localTime(value: unknown): string {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return ''
  const time = new Date(value)
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

export function TimeControl({ schema, isRequired, value, onChange, attributes }: ControlProps) {
  return (
    <>
      <input
        {...attributes}
        type="datetime-local"
        required={isRequired}
        value={localTime(value)}
        onChange={({ target }) =>
          onChange(target.value === '' ? cleared(schema) : new Date(target.value).toISOString())
        }
      />
      <span className="hint">{timeZone}</span>
    </>
  )
}

export function NumberControl({ schema, isRequired, value, onChange, attributes }: ControlProps) {
  return (
    <input
      {...attributes}
      {...constraintsOf(schema, isRequired)}
      inputMode="decimal"
      value={textOf(value)}
      onChange={({ target }) => onChange(target.value === '' ? cleared(schema) : target.valueAsNumber)}
    />
  )
}

export function ChoiceControl({ schema, isRequired, value, onChange, attributes, options, emptyLabel }: ControlProps) {
  const choices = options ?? namedChoicesOf(schema)
  return (
    <select
      {...attributes}
      required={isRequired}
      value={textOf(value)}
      onChange={({ target }) => onChange(target.value === '' ? cleared(schema) : target.value)}
    >
      {isRequired && value !== undefined ? null : (
        <option value="">{isRequired ? 'Choose …' : (emptyLabel ?? 'None')}</option>
      )}
      {choices.map((each) => (
        <option key={each.value} value={each.value}>
          {each.label}
        </option>
      ))}
    </select>
  )
}

export function ChoicesControl({ name, label, schema, value, onChange, options, isDisabled = false }: ControlProps) {
  const chosen = Array.isArray(value) ? (value as string[]) : []
  const offered: readonly Option[] =
    options ?? (schema.items?.enum ?? []).flatMap((each) => (each === null ? [] : [{ value: each, label: each }]))
  // What is chosen and no longer offered, such as an older role, can still be seen and left out.
  const others = chosen.filter((each) => offered.every(({ value: other }) => other !== each))
  const choices: readonly Option[] = [...others.map((each) => ({ value: each, label: each })), ...offered]
  const toggle = (each: string) =>
    onChange(chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each])
  return (
    // It may scroll, so it must be reachable by keyboard itself while nothing in it can take the focus.
    <div
      className={choices.some(({ about }) => about !== undefined) ? 'choices explained' : 'choices'}
      role="group"
      aria-label={label}
      tabIndex={isDisabled ? 0 : undefined}
    >
      {choices.map((each) => (
        <label key={each.value} className="choice">
          <input
            type="checkbox"
            name={`${name}/${each.value}`}
            checked={chosen.includes(each.value)}
            disabled={isDisabled}
            onChange={() => toggle(each.value)}
          />
          {each.about === undefined ? (
            each.label
          ) : (
            <span>
              {each.label} <span className="hint">{each.about}</span>
            </span>
          )}
        </label>
      ))}
    </div>
  )
}

export function RadioControl({ name, label, value, onChange, options = [], attributes }: ControlProps) {
  const { id: _id, ...shared } = attributes
  return (
    <div className="radios" role="radiogroup" aria-label={label}>
      {options.map((each) => (
        <label key={each.value} className="choice">
          <input
            {...shared}
            type="radio"
            name={name}
            value={each.value}
            checked={value === each.value}
            onChange={() => onChange(each.value)}
          />
          <span>
            {each.label}
            {each.about === undefined ? null : <span className="hint">{each.about}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}

export function LinesControl({ value, onChange, attributes }: ControlProps) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''))
  return (
    <textarea
      {...attributes}
      rows={4}
      value={text}
      spellCheck={false}
      onChange={({ target }) => {
        setText(target.value)
        const lines = target.value.split('\n').map((line) => line.trim())
        onChange(lines.filter((line) => line !== ''))
      }}
    />
  )
}

export function JsonControl({ schema, value, onChange, attributes }: ControlProps) {
  const [text, setText] = useState(() => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2)))
  return (
    <textarea
      {...attributes}
      className="code"
      rows={4}
      value={text}
      spellCheck={false}
      onChange={({ target }) => {
        setText(target.value)
        try {
          onChange(target.value.trim() === '' ? cleared(schema) : (JSON.parse(target.value) as unknown))
          target.setCustomValidity('')
        } catch {
          target.setCustomValidity('This is not JSON yet.')
        }
      }}
    />
  )
}
