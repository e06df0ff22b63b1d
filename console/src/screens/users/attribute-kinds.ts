// The tenant's own attributes, by which lists filter users.
import type { Attribute } from '@bailiwick/contract'
import { useOperation } from '../../api/use-operation.ts'
import type { Filter } from '../../lists/record-list.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'

export const english = (texts: Attribute['label']): string => texts.en ?? Object.values(texts)[0] ?? ''

/** Returns the values of a choice with their labels; undefined for an attribute of another type. */
export const choicesIn = ({ choices }: Attribute) =>
  choices?.map(({ value, label }) => ({ value, label: label === undefined ? value : english(label) }))

const boxes = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
]

const toKind = (attribute: Attribute): NonNullable<Filter['kinds']>[number] => {
  const options = attribute.type === 'boolean' ? boxes : choicesIn(attribute)
  const label = english(attribute.label)
  const { key: value, type } = attribute
  if (options !== undefined) return { value, label, options }
  return { value, label, type: type === 'number' || type === 'date' ? type : 'text' }
}

/** Returns the attributes with what they can be; none if the administrator may not see them. */
export function useAttributeKinds(): NonNullable<Filter['kinds']> {
  const { id } = useTenant()
  const { isAllowed } = useMayCall('getAttributes')
  const { data } = useOperation('getAttributes', { params: { id } }, { enabled: isAllowed })
  return (data?.attributes ?? []).map(toKind)
}
