// Chooses some of the tenant's resources, such as those whose tokens an application may exchange.
import { useOperation } from '../../api/use-operation.ts'
import type { OwnControl } from '../../form/field-spec.ts'
import { useTenant } from '../../session/tenant.tsx'

interface ResourcesFieldProps {
  readonly control: OwnControl
  readonly name: string
  readonly label: string
  readonly hint: string
}

export function ResourcesField({ control, name, label, hint }: ResourcesFieldProps) {
  const { id: tenantId } = useTenant()
  const { data } = useOperation('listResources', { params: { tenantId }, query: { perPage: '100' } })
  const chosen = (control.value ?? []) as readonly string[]
  const known = data?.data ?? []
  const gone = chosen.filter((id) => !known.some((each) => each.id === id)).map((id) => ({ id, name: id }))
  const { isDisabled, onChange, problemAt } = control
  const problem = problemAt(name)
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <p className="hint">{hint}</p>
      <div className="choices">
        {[...known, ...gone].map((resource) => (
          <label key={resource.id} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(resource.id)}
              disabled={isDisabled}
              aria-invalid={problem !== undefined}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, resource.id] : chosen.filter((id) => id !== resource.id))
              }
            />
            {resource.name}
          </label>
        ))}
      </div>
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </fieldset>
  )
}
