// A field that holds a list of records: each is edited in a box of its own, removed there, and added below.
import { type ReactNode, useId } from 'react'
import type { OwnControl } from './field-spec.ts'

interface RowsFieldProps<Row> {
  /** The path of the list in the body. */
  readonly name: string
  readonly label: string
  readonly control: OwnControl
  /** What a new row has. */
  readonly empty: Row
  /** The label of the button that adds one: "Add a claim". */
  readonly add: string
  /** What a row is called, for the label of its box and of the button that removes it. */
  readonly rowName: (row: Row, index: number) => string
  readonly children: (row: Row, index: number, onChange: (row: Row) => void) => ReactNode
}

interface RowProps {
  readonly name: string
  readonly problem: string | undefined
  readonly isDisabled: boolean
  readonly onRemove: () => void
  readonly children: ReactNode
}

function Row({ name, problem, isDisabled, onRemove, children }: RowProps) {
  const id = useId()
  return (
    <li>
      <div className="step" role="group" aria-label={name} aria-describedby={problem === undefined ? undefined : id}>
        {children}
        {problem === undefined ? null : (
          <p id={id} className="field-problem">
            {problem}
          </p>
        )}
        <div>
          <button
            type="button"
            className="button small"
            aria-label={`Remove ${name}`}
            disabled={isDisabled}
            onClick={onRemove}
          >
            Remove
          </button>
        </div>
      </div>
    </li>
  )
}

export function RowsField<Value>({ name, label, control, empty, add, rowName, children }: RowsFieldProps<Value>) {
  const rows = (control.value ?? []) as readonly Value[]
  const { onChange, isDisabled, problemAt } = control
  const problems = rows.map((_row, index) => problemAt(`${name}/${index}`))
  const whole = problems.every((problem) => problem === undefined) ? problemAt(name) : undefined
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      {rows.length === 0 ? null : (
        <ul className="step-list">
          {rows.map((row, index) => (
            // What names a row is edited here, so only its position identifies it.
            <Row
              key={index}
              name={rowName(row, index)}
              problem={problems[index]}
              isDisabled={isDisabled}
              onRemove={() => onChange(rows.filter((_each, at) => at !== index))}
            >
              {children(row, index, (next) => onChange(rows.map((each, at) => (at === index ? next : each))))}
            </Row>
          ))}
        </ul>
      )}
      <div>
        <button type="button" className="button" disabled={isDisabled} onClick={() => onChange([...rows, empty])}>
          {add}
        </button>
      </div>
      {whole === undefined ? null : <p className="field-problem">{whole}</p>}
    </fieldset>
  )
}
