// What an application may do on its own behalf: resources, and its scopes at each of them.
import { useId } from 'react'
import { schemas } from 'virtual:operation-schemas'
import { useOperation } from '../../api/use-operation.ts'
import type { OwnControl } from '../../form/field-spec.ts'
import { schemaAt } from '../../form/schema.ts'
import { useTenant } from '../../session/tenant.tsx'

interface MachineScopes {
  readonly resourceId: string
  readonly scopes: readonly string[]
}

interface Offer {
  readonly id: string
  readonly name: string
  readonly scopes: readonly { readonly name: string; readonly description?: string | null }[]
}

/** The management interface has no resource of its own: its id is this word, and its scopes are those of API keys. */
const management: Offer = {
  id: 'management',
  name: 'Management interface',
  scopes: (schemaAt(schemas.createApiKey.body, 'scopes').items?.enum ?? []).map((name) => ({ name: name ?? '' })),
}

interface ResourceScopesProps {
  readonly offer: Offer
  readonly chosen: readonly string[]
  readonly isDisabled: boolean
  readonly problem: string | undefined
  readonly onChange: (scopes: readonly string[]) => void
  readonly onRemove: () => void
}

function ResourceScopes({ offer, chosen, isDisabled, problem, onChange, onRemove }: ResourceScopesProps) {
  const gone = chosen.filter((name) => !offer.scopes.some((each) => each.name === name)).map((name) => ({ name }))
  const id = useId()
  return (
    <li>
      <div
        className="step"
        role="group"
        aria-labelledby={id}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      >
        <div className="step-head">
          <strong id={id}>{offer.name}</strong>
          <button
            type="button"
            className="button small"
            aria-label={`Remove ${offer.name}`}
            disabled={isDisabled}
            onClick={onRemove}
          >
            Remove
          </button>
        </div>
        <div className="choices">
          {[...offer.scopes, ...gone].map(({ name }) => (
            <label key={name} className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                disabled={isDisabled}
                aria-invalid={problem !== undefined}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                }
              />
              <code>{name}</code>
            </label>
          ))}
        </div>
        {problem === undefined ? null : (
          <p id={`${id}-problem`} className="field-problem">
            {problem}
          </p>
        )}
      </div>
    </li>
  )
}

export function MachineScopesField({ control }: { readonly control: OwnControl }) {
  const { id: tenantId } = useTenant()
  const adder = useId()
  const { data } = useOperation('listResources', { params: { tenantId }, query: { perPage: '100' } })
  const entries = (control.value ?? []) as readonly MachineScopes[]
  const offers: readonly Offer[] = [...(data?.data ?? []), management]
  const left = offers.filter(({ id }) => !entries.some(({ resourceId }) => resourceId === id))
  const offerOf = (id: string): Offer => offers.find((each) => each.id === id) ?? { id, name: id, scopes: [] }
  const { isDisabled, onChange, problemAt } = control
  const isOfRow = entries.some((_entry, index) => problemAt(`machineScopes/${index}`) !== undefined)
  const whole = isOfRow ? undefined : problemAt('machineScopes')
  return (
    <fieldset className="field">
      <legend className="label">Scopes of its own</legend>
      <p className="hint">The resources that the application calls for itself, and its scopes at each of them.</p>
      {entries.length === 0 ? null : (
        <ul className="step-list">
          {entries.map(({ resourceId, scopes }, index) => (
            <ResourceScopes
              key={resourceId}
              offer={offerOf(resourceId)}
              chosen={scopes}
              isDisabled={isDisabled}
              problem={problemAt(`machineScopes/${index}`)}
              onChange={(chosen) =>
                onChange(entries.map((each, at) => (at === index ? { resourceId, scopes: chosen } : each)))
              }
              onRemove={() => onChange(entries.filter((_each, at) => at !== index))}
            />
          ))}
        </ul>
      )}
      <label htmlFor={adder} className="visually-hidden">
        Add a resource
      </label>
      <select
        id={adder}
        value=""
        disabled={isDisabled || left.length === 0}
        onChange={({ target }) =>
          target.value === '' || onChange([...entries, { resourceId: target.value, scopes: [] }])
        }
      >
        <option value="">Add a resource …</option>
        {left.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {whole === undefined ? null : <p className="field-problem">{whole}</p>}
    </fieldset>
  )
}
