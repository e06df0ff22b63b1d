// The steps of a transformation: added, put in order, changed and removed. Which options a step has is in the contract.
import { useId } from 'react'
import { schemas } from 'virtual:operation-schemas'
import type { OwnControl } from '../../form/field-spec.ts'
import { Field } from '../../form/field.tsx'
import { type Schema, isRequiredAt, schemaAt } from '../../form/schema.ts'

export interface Step {
  readonly type: string
  readonly options: Readonly<Record<string, unknown>>
}

const variants: readonly Schema[] = schemaAt(schemas.createTransformation.body, 'steps').items?.oneOf ?? []
const typeOf = (variant: Schema) => schemaAt(variant, 'type').enum?.[0] ?? ''
const optionsByType = new Map(variants.map((variant) => [typeOf(variant), schemaAt(variant, 'options')]))

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const wordsOf = (name: string) =>
  sentence(
    name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('-', ' ')
      .toLowerCase(),
  )

/** The options that a new step begins with, so that it does something at once. */
const beginnings: Readonly<Record<string, Step['options']>> = {
  blur: { blurType: 'fast', strength: 5 },
  'brightness-hue-saturation-lightness': { brightness: 20 },
  extend: { top: 20, bottom: 20, left: 20, right: 20, color: '#ffffff' },
  layer: { url: '' },
  negative: {},
  rotate: { type: 'manual', degrees: 90 },
  sharpen: { sharpenType: 'fast', strength: 5 },
  text: { text: 'Text', color: '#ffffff', fontSize: 48 },
  tint: { color: '#4466ff', opacity: 50 },
}

const moved = (steps: readonly Step[], from: number, to: number): readonly Step[] => {
  const rest = steps.filter((_step, index) => index !== from)
  const step = steps[from]
  return step === undefined ? steps : [...rest.slice(0, to), step, ...rest.slice(to)]
}

interface StepProps {
  readonly step: Step
  readonly index: number
  readonly control: OwnControl
  readonly onOptions: (options: Step['options']) => void
}

function StepOptions({ step, index, control, onOptions }: StepProps) {
  const schema = optionsByType.get(step.type) ?? {}
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0) return null
  return (
    <div className="step-options">
      {names.map((name) => (
        <Field
          key={name}
          name={`steps/${index}/options/${name}`}
          label={wordsOf(name)}
          schema={schemaAt(schema, name)}
          isRequired={isRequiredAt(schema, name)}
          isDisabled={control.isDisabled}
          value={step.options[name]}
          onChange={(value) => {
            const { [name]: _replaced, ...others } = step.options
            onOptions(value === undefined ? others : { ...others, [name]: value })
          }}
          problem={control.problemAt(`steps/${index}/options/${name}`)}
        />
      ))}
    </div>
  )
}

function AddStep({ control, onAdd }: { readonly control: OwnControl; readonly onAdd: (type: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Add a step
      </label>
      <select
        id={id}
        value=""
        disabled={control.isDisabled}
        onChange={({ target }) => target.value === '' || onAdd(target.value)}
      >
        <option value="">Choose …</option>
        {[...optionsByType.keys()].map((type) => (
          <option key={type} value={type}>
            {wordsOf(type)}
          </option>
        ))}
      </select>
    </div>
  )
}

export function StepsField({ control }: { readonly control: OwnControl }) {
  const steps = Array.isArray(control.value) ? (control.value as readonly Step[]) : []
  const { onChange, isDisabled } = control
  return (
    <fieldset className="field">
      <legend className="label">Steps, in this order</legend>
      <ol className="step-list">
        {steps.map((step, index) => (
          // Steps have no keys of their own: two may be equal.
          <li key={index} className="step">
            <div className="step-head">
              <strong>{wordsOf(step.type)}</strong>
              <span className="actions">
                <button
                  type="button"
                  className="button small"
                  aria-label={`Move ${wordsOf(step.type)} up`}
                  disabled={isDisabled || index === 0}
                  onClick={() => onChange(moved(steps, index, index - 1))}
                >
                  Up
                </button>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Move ${wordsOf(step.type)} down`}
                  disabled={isDisabled || index === steps.length - 1}
                  onClick={() => onChange(moved(steps, index, index + 1))}
                >
                  Down
                </button>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Remove ${wordsOf(step.type)}`}
                  disabled={isDisabled}
                  onClick={() => onChange(steps.filter((_step, at) => at !== index))}
                >
                  Remove
                </button>
              </span>
            </div>
            <StepOptions
              step={step}
              index={index}
              control={control}
              onOptions={(options) => onChange(steps.map((each, at) => (at === index ? { ...each, options } : each)))}
            />
          </li>
        ))}
      </ol>
      <AddStep control={control} onAdd={(type) => onChange([...steps, { type, options: beginnings[type] ?? {} }])} />
    </fieldset>
  )
}
