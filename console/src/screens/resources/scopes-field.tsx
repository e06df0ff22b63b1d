// The scopes of a resource: what applications can request, and what users then read.
import { useId } from 'react'
import type { OwnControl } from '../../form/field-spec.ts'

interface Scope {
  readonly name: string
  readonly description?: string | null
}

interface RowProps {
  readonly scope: Scope
  readonly index: number
  readonly control: OwnControl
  readonly onChange: (scope: Scope) => void
  readonly onRemove: () => void
}

function ScopeRow({ scope, index, control: { isDisabled, problemAt }, onChange, onRemove }: RowProps) {
  const id = useId()
  const problem = problemAt(`scopes/${index}`)
  const of = scope.name === '' ? `scope ${index + 1}` : scope.name
  const attributes = {
    disabled: isDisabled,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : id,
  }
  return (
    <li className="scope-row">
      <input
        {...attributes}
        name={`scopes/${index}/name`}
        aria-label={`Name of scope ${index + 1}`}
        placeholder="articles:read"
        required
        maxLength={128}
        pattern="[!#-\[\]-~]+"
        spellCheck={false}
        autoComplete="off"
        value={scope.name}
        onChange={({ target }) => onChange({ ...scope, name: target.value })}
      />
      <input
        {...attributes}
        name={`scopes/${index}/description`}
        aria-label={`Description of scope ${index + 1}`}
        placeholder="Read your articles"
        maxLength={256}
        autoComplete="off"
        value={scope.description ?? ''}
        onChange={({ target }) => onChange({ ...scope, description: target.value === '' ? null : target.value })}
      />
      <button type="button" className="button" aria-label={`Remove ${of}`} disabled={isDisabled} onClick={onRemove}>
        Remove
      </button>
      {problem === undefined ? null : (
        <p id={id} className="field-problem">
          {problem}
        </p>
      )}
    </li>
  )
}

export function ScopesField({ control }: { readonly control: OwnControl }) {
  const scopes = (control.value ?? []) as readonly Scope[]
  const { onChange, isDisabled, problemAt } = control
  const isOfRow = scopes.some((_scope, index) => problemAt(`scopes/${index}`) !== undefined)
  const whole = isOfRow ? undefined : problemAt('scopes')
  return (
    <fieldset className="field">
      <legend className="label">Scopes</legend>
      <p className="hint">What applications can ask for. Users read the description when they are asked for consent.</p>
      {scopes.length === 0 ? null : (
        <ul className="step-list">
          {scopes.map((scope, index) => (
            // The name is edited here, so only its position identifies a row.
            <ScopeRow
              key={index}
              scope={scope}
              index={index}
              control={control}
              onChange={(next) => onChange(scopes.map((each, at) => (at === index ? next : each)))}
              onRemove={() => onChange(scopes.filter((_each, at) => at !== index))}
            />
          ))}
        </ul>
      )}
      <div>
        <button
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => onChange([...scopes, { name: '', description: null }])}
        >
          Add a scope
        </button>
      </div>
      {whole === undefined ? null : <p className="field-problem">{whole}</p>}
    </fieldset>
  )
}
