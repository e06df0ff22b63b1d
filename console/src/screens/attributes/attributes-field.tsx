// The attributes of a tenant: how each is called, what it accepts, and who is asked for it.
import { type Attribute, attributeTypes } from '@bailiwick/contract'
import type { InputHTMLAttributes } from 'react'
import type { OwnControl } from '../../form/field-spec.ts'
import { Labelled } from '../../form/labelled.tsx'
import { RowsField } from '../../form/rows-field.tsx'
import { LanguageTexts } from './language-texts.tsx'

const typeNames = { text: 'Text', number: 'Number', boolean: 'Box to tick', choice: 'Choice', date: 'Date' } as const
const placeNames = {
  both: 'At sign-up and in the profile',
  sign_up: 'At sign-up',
  profile: 'In the profile',
  nowhere: 'Nowhere',
} as const

interface RowProps {
  readonly attribute: Attribute
  readonly index: number
  readonly onChange: (attribute: Attribute) => void
}

type PartProps = Pick<RowProps, 'attribute' | 'onChange'> & { readonly isDisabled: boolean }

/** Returns the attribute with some fields changed, and without those that are undefined. */
const changed = (attribute: Attribute, change: { readonly [Name in keyof Attribute]?: Attribute[Name] | undefined }) =>
  Object.fromEntries(
    Object.entries({ ...attribute, ...change }).filter(([, value]) => value !== undefined),
  ) as unknown as Attribute // Only fields that may be left out are ever undefined.

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly names: Readonly<Record<Value, string>>
  readonly isDisabled: boolean
  readonly onChange: (value: Value) => void
}

function Select<Value extends string>({ label, value, names, isDisabled, onChange }: SelectProps<Value>) {
  const values = Object.keys(names) as Value[]
  return (
    <Labelled label={label}>
      <select
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(values.find((each) => each === target.value) ?? value)}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {names[each]}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

interface BoundProps extends PartProps {
  readonly name: 'minLength' | 'maxLength' | 'minimum' | 'maximum'
  readonly label: string
  readonly input?: InputHTMLAttributes<HTMLInputElement>
}

const Bound = ({ attribute, name, label, isDisabled, onChange, input }: BoundProps) => (
  <Labelled label={label}>
    <input
      {...input}
      type="number"
      disabled={isDisabled}
      value={attribute[name] ?? ''}
      onChange={({ target }) =>
        onChange(changed(attribute, { [name]: target.value === '' ? undefined : Number(target.value) }))
      }
    />
  </Labelled>
)

/** `small = Up to 50` is the value small with an English label. */
function readChoices(text: string, before: Attribute['choices'] = []): Attribute['choices'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const at = line.indexOf('=')
    const value = (at < 0 ? line : line.slice(0, at)).trim()
    const label = at < 0 ? '' : line.slice(at + 1).trim()
    const others = before.find((each) => each.value === value)?.label ?? {}
    return label === '' ? { value } : { value, label: { ...others, en: label } }
  })
}

const choiceLine = ({ value, label }: NonNullable<Attribute['choices']>[number]) =>
  label?.en === undefined ? value : `${value} = ${label.en}`

function Rules(props: PartProps) {
  const { attribute, isDisabled, onChange } = props
  const whole = { min: 0, step: 1, max: 1000 }
  switch (attribute.type) {
    case 'text':
      return (
        <div className="field-row">
          <Bound {...props} name="minLength" label="Fewest characters" input={whole} />
          <Bound {...props} name="maxLength" label="Most characters" input={{ ...whole, placeholder: '200' }} />
        </div>
      )
    case 'number':
      return (
        <div className="field-row">
          <Bound {...props} name="minimum" label="Smallest" input={{ step: 'any' }} />
          <Bound {...props} name="maximum" label="Largest" input={{ step: 'any' }} />
        </div>
      )
    case 'choice':
      return (
        <Labelled label="Choices, one on each line, such as small = Up to 50">
          <textarea
            key={attribute.key}
            rows={4}
            disabled={isDisabled}
            defaultValue={(attribute.choices ?? []).map(choiceLine).join('\n')}
            onChange={({ target }) =>
              onChange(changed(attribute, { choices: readChoices(target.value, attribute.choices) }))
            }
          />
        </Labelled>
      )
    default:
      return null
  }
}

/** A rule of another type would be refused. */
const noRules = { minLength: undefined, maxLength: undefined, minimum: undefined, maximum: undefined }

function Basics({ attribute, isDisabled, onChange, index }: PartProps & Pick<RowProps, 'index'>) {
  return (
    <div className="field-row">
      <Labelled label="Key in publicMeta">
        <input
          required
          name={`attributes/${index}/key`}
          maxLength={40}
          pattern="[a-z][A-Za-z0-9_]*"
          placeholder="company"
          autoComplete="off"
          spellCheck={false}
          disabled={isDisabled}
          value={attribute.key}
          onChange={({ target }) => onChange({ ...attribute, key: target.value })}
        />
      </Labelled>
      <Select
        label="Type"
        value={attribute.type}
        names={typeNames satisfies Record<(typeof attributeTypes)[number], string>}
        isDisabled={isDisabled}
        onChange={(type) =>
          onChange(changed(attribute, { ...noRules, type, choices: type === 'choice' ? [] : undefined }))
        }
      />
    </div>
  )
}

function Places({ attribute, isDisabled, onChange }: PartProps) {
  const isAsked = attribute.writableBy === 'user' && (attribute.shownAt === 'sign_up' || attribute.shownAt === 'both')
  return (
    <>
      <div className="field-row">
        <Select
          label="Written by"
          value={attribute.writableBy}
          names={{ user: 'The user', server: 'Servers and administrators only' }}
          isDisabled={isDisabled}
          onChange={(writableBy) => onChange(changed(attribute, { writableBy, required: undefined }))}
        />
        <Select
          label="Asked for"
          value={attribute.shownAt}
          names={placeNames}
          isDisabled={isDisabled}
          onChange={(shownAt) => onChange(changed(attribute, { shownAt, required: undefined }))}
        />
      </div>
      <label className="choice">
        <input
          type="checkbox"
          checked={attribute.required === true}
          disabled={isDisabled || !isAsked}
          onChange={({ target }) => onChange(changed(attribute, { required: target.checked ? true : undefined }))}
        />
        Required of new users
      </label>
    </>
  )
}

function AttributeFields({ attribute, index, isDisabled, onChange }: PartProps & Pick<RowProps, 'index'>) {
  const part = { attribute, isDisabled, onChange }
  return (
    <>
      <Basics {...part} index={index} />
      <LanguageTexts
        label="Label"
        isRequired
        value={attribute.label}
        isDisabled={isDisabled}
        onChange={(label) => onChange({ ...attribute, label })}
      />
      <LanguageTexts
        label="Help"
        value={attribute.help ?? {}}
        isDisabled={isDisabled}
        onChange={(help) => onChange(changed(attribute, { help: Object.keys(help).length === 0 ? undefined : help }))}
      />
      <Rules {...part} />
      <Places {...part} />
    </>
  )
}

const empty: Attribute = { key: '', type: 'text', label: {}, writableBy: 'user', shownAt: 'both' }

export const AttributesField = ({ control }: { readonly control: OwnControl }) => (
  <RowsField
    name="attributes"
    label="Attributes"
    control={control}
    empty={empty}
    add="Add an attribute"
    rowName={({ key }, index) => (key === '' ? `attribute ${index + 1}` : key)}
  >
    {(attribute, index, onChange) => (
      <AttributeFields attribute={attribute} index={index} isDisabled={control.isDisabled} onChange={onChange} />
    )}
  </RowsField>
)
