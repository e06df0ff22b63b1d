// One field of a form, drawn as its schema says.
import { type ReactNode, useId } from 'react'
import {
  ChoiceControl,
  ChoicesControl,
  type ControlProps,
  type FieldProps,
  JsonControl,
  LinesControl,
  NumberControl,
  RadioControl,
  TextControl,
  TimeControl,
} from './controls.tsx'
import { DurationControl } from './duration-control.tsx'
import { kindOf } from './schema.ts'

const controls = {
  text: TextControl,
  secret: TextControl,
  number: NumberControl,
  duration: DurationControl,
  time: TimeControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  radio: RadioControl,
  lines: LinesControl,
  json: JsonControl,
}

/** Returns the kind of control. Choices with names of their own make a choice of what would be typed. */
function controlKind({ schema, options, isTime, isRadio, isSeconds, isMilliseconds }: FieldProps) {
  if (isSeconds === true || isMilliseconds === true) return 'duration'
  if (isTime === true) return 'time'
  if (isRadio === true) return 'radio'
  const kind = kindOf(schema)
  if (options === undefined) return kind
  if (kind === 'text') return 'choice'
  return kind === 'lines' ? 'choices' : kind
}

/** The ids of the notes about a field, for those that it has. */
function noteIds(id: string, { hint, problem, changedTo }: FieldProps) {
  return {
    hint: hint === undefined ? undefined : `${id}-hint`,
    problem: problem === undefined ? undefined : `${id}-problem`,
    changed: changedTo === undefined ? undefined : `${id}-changed`,
  }
}

interface NotesProps {
  readonly of: FieldProps
  readonly ids: ReturnType<typeof noteIds>
}

function Notes({ of: { hint, problem, changedTo }, ids }: NotesProps) {
  return (
    <>
      {ids.hint === undefined ? null : (
        <p id={ids.hint} className="hint">
          {hint}
        </p>
      )}
      {ids.changed === undefined ? null : (
        <p id={ids.changed} className="hint changed">
          This was changed to “{changedTo}” after you read it. Saving replaces that.
        </p>
      )}
      {ids.problem === undefined ? null : (
        <p id={ids.problem} className="field-problem">
          {problem}
        </p>
      )}
    </>
  )
}

interface SwitchProps {
  readonly of: FieldProps
  readonly attributes: ControlProps['attributes']
  readonly notes: ReactNode
}

function Switch({ of: { label, value, onChange }, attributes, notes }: SwitchProps) {
  return (
    <div className="field">
      <label className="choice">
        <input
          {...attributes}
          type="checkbox"
          role="switch"
          className="switch"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {notes}
    </div>
  )
}

export function Field(props: FieldProps) {
  const { name, label, problem, isRequired, isDisabled = false, isOfRecord = false } = props
  const id = useId()
  const kind = controlKind(props)
  const ids = noteIds(id, props)
  const about = [ids.hint, ids.problem, ids.changed].filter((each) => each !== undefined).join(' ')
  const attributes = {
    id,
    name,
    disabled: isDisabled,
    'aria-invalid': problem !== undefined,
    'aria-describedby': about === '' ? undefined : about,
  }
  const notes = <Notes of={props} ids={ids} />
  if (kind === 'flag') return <Switch of={props} attributes={attributes} notes={notes} />
  const Control = controls[kind]
  if (kind === 'choices' || kind === 'radio') {
    return (
      <fieldset className="field">
        <legend className="label">{label}</legend>
        <Control {...props} attributes={attributes} />
        {notes}
      </fieldset>
    )
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
        {isRequired || isOfRecord ? null : <span className="quiet"> (optional)</span>}
      </label>
      <Control {...props} attributes={attributes} />
      {notes}
    </div>
  )
}
