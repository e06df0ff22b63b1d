// The tenant's own attributes of a user, as fields with their labels.
import type { Attribute } from '@bailiwick/contract'
import { useOperation } from '../../api/use-operation.ts'
import type { FieldDetails } from '../../form/field-spec.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import type { Schema } from '../../form/schema.ts'
import { Section } from '../../parts/page.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { choicesIn, english } from './attribute-kinds.ts'

/** The rules of a value; null removes it. */
function toSchema({ type, choices = [], minLength, maxLength = 200, minimum, maximum }: Attribute): Schema {
  const present = (rules: object) => Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined))
  switch (type) {
    case 'number':
      return { type: ['number', 'null'], ...present({ minimum, maximum }) }
    case 'boolean':
      return { type: 'boolean' }
    case 'choice':
      return { type: ['string', 'null'], enum: [...choices.map(({ value }) => value), null] }
    case 'date':
      return { type: ['string', 'null'], format: 'date' }
    default:
      return { type: ['string', 'null'], ...present({ minLength, maxLength }) }
  }
}

const objectFrom = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** The whole metadata is sent, because it is replaced as a whole. */
function withOthers(body: Readonly<Record<string, unknown>>, before: unknown) {
  const merged = { ...objectFrom(before), ...objectFrom(body['publicMeta']) }
  return { ...body, publicMeta: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) }
}

function toField(attribute: Attribute): FieldDetails {
  const options = choicesIn(attribute)
  return {
    name: `publicMeta/${attribute.key}`,
    label: english(attribute.label),
    ...(attribute.help === undefined ? {} : { hint: english(attribute.help) }),
    schema: toSchema(attribute),
    ...(options === undefined ? {} : { options }),
  }
}

export function UserAttributes({ user }: { readonly user: { readonly id: string; readonly publicMeta?: unknown } }) {
  const { id } = useTenant()
  const { data } = useOperation('getAttributes', { params: { id } })
  const attributes = data?.attributes ?? []
  if (attributes.length === 0) return null
  return (
    <Section title="Attributes" about="What the tenant asks its users beside the standard fields.">
      <OperationForm
        operation="updateUser"
        params={{ id: user.id }}
        record={user}
        fields={attributes.map(toField)}
        toBody={(body) => withOthers(body, user.publicMeta)}
        submit="Save"
        done="The attributes are saved."
      />
    </Section>
  )
}
