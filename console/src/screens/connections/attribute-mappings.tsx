// Which attributes of the tenant get what the provider or the directory of an organization says of its users.
import { type AttributeMapping, type Connection, scimSources } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import type { OwnControl } from '../../form/field-spec.ts'
import { Labelled } from '../../form/labelled.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { RowsField } from '../../form/rows-field.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly none: string
  readonly options: readonly string[]
  readonly isDisabled: boolean
  readonly isRequired?: boolean
  readonly onChange: (value: string) => void
}

const Select = ({ label, value, none, options, isDisabled, isRequired = false, onChange }: SelectProps) => (
  <Labelled label={label}>
    <select value={value} disabled={isDisabled} required={isRequired} onChange={({ target }) => onChange(target.value)}>
      <option value="">{none}</option>
      {options.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  </Labelled>
)

interface MappingsProps {
  readonly control: OwnControl
  readonly keys: readonly string[]
}

const Mappings = ({ control, keys }: MappingsProps) => (
  <RowsField<AttributeMapping>
    name="attributeMappings"
    label="Attributes"
    control={control}
    empty={{ attribute: '', claim: null, scim: null }}
    add="Add an attribute"
    rowName={({ attribute }, index) => (attribute === '' ? `attribute ${index + 1}` : attribute)}
  >
    {(mapping, _index, onChange) => (
      <div className="field-row">
        <Select
          label="Attribute"
          none="Choose"
          isRequired
          // One that the tenant no longer has is shown all the same.
          options={[...new Set([...keys, ...(mapping.attribute === '' ? [] : [mapping.attribute])])]}
          value={mapping.attribute}
          isDisabled={control.isDisabled}
          onChange={(attribute) => onChange({ ...mapping, attribute })}
        />
        <Labelled label="Claim or attribute">
          <input
            value={mapping.claim ?? ''}
            disabled={control.isDisabled}
            maxLength={256}
            autoComplete="off"
            spellCheck={false}
            placeholder="department"
            onChange={({ target }) => onChange({ ...mapping, claim: target.value === '' ? null : target.value })}
          />
        </Labelled>
        <Select
          label="SCIM attribute"
          none="None"
          options={scimSources}
          value={mapping.scim ?? ''}
          isDisabled={control.isDisabled}
          onChange={(scim) => onChange({ ...mapping, scim: scimSources.find((each) => each === scim) ?? null })}
        />
      </div>
    )}
  </RowsField>
)

/** The mappings of a connection; a tenant without attributes has nothing to map. */
export function AttributeMappings({ connection }: { readonly connection: Connection }) {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const { data } = useOperation('getAttributes', { params: { id: tenantId } })
  const keys = (data?.attributes ?? []).map(({ key }) => key)
  return (
    <Section
      title="Attributes of users"
      about="They are written at each sign-in, or when the directory changes them, for users whom the connection or its directory has created."
    >
      {keys.length + connection.attributeMappings.length === 0 ? (
        <Empty
          title="This tenant has no attributes yet"
          action={
            <Link className="button" to={path('attributes')}>
              Add attributes
            </Link>
          }
        />
      ) : (
        <OperationForm
          operation="updateConnection"
          params={{ id: connection.id }}
          record={connection}
          fields={[{ name: 'attributeMappings', render: (control) => <Mappings control={control} keys={keys} /> }]}
          submit="Save attributes"
          done="The attributes are saved."
        />
      )}
    </Section>
  )
}
