// The attributes of the tenant in forms: what was typed, and the values that it stands for.
import type { Attribute } from '@bailiwick/contract'
import { isAskedAtSignUp } from '../tenancy/tenants/attributes/document.ts'
import type { AttributeValues } from '../tenancy/tenants/attributes/values.ts'
import type { PageCall } from './call/page-call.ts'

type Typed = Readonly<Record<string, string>>

/** Returns what was typed, by key. Nothing is sent for a box that is not ticked. */
export const typedAttributes = (page: PageCall, attributes: readonly Attribute[]): Typed =>
  Object.fromEntries(attributes.map(({ key }) => [key, page.field(`attributes/${key}`)?.trim() ?? '']))

/** Returns values as a form shows them. */
export const shownValues = (attributes: readonly Attribute[], values: AttributeValues): Typed =>
  Object.fromEntries(
    attributes.map(({ key }) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return [key, isShown ? String(value) : '']
    }),
  )

/** A browser sends lines that end in CR and LF. What is no number stays text, which the operation then refuses. */
function readTyped({ type }: Attribute, typed: string): unknown {
  if (type === 'boolean') return typed === 'true'
  if (typed === '') return null
  if (type !== 'number') return typed.replaceAll('\r\n', '\n')
  return Number.isFinite(Number(typed)) ? Number(typed) : typed
}

/** Returns the attributes that sign-up asks for, or those of them that are still missing. */
export const askedAttributes = (page: PageCall, missing?: readonly string[]): readonly Attribute[] =>
  page.tenant.attributes.filter(
    (attribute) => isAskedAtSignUp(attribute) && (missing?.includes(`attributes/${attribute.key}`) ?? true),
  )

/** Returns what is typed about attributes, as a part of the body of a request; nothing if nothing is typed. */
export function attributesBody(page: PageCall) {
  const asked = askedAttributes(page)
  const attributes = changedValues(asked, typedAttributes(page, asked), {})
  return Object.keys(attributes).length === 0 ? {} : { attributes }
}

/** Returns the values to send for attributes that differ from what the form was shown with. */
export function changedValues(attributes: readonly Attribute[], typed: Typed, before: Typed): AttributeValues {
  const changed = attributes.filter(({ key }) => (typed[key] ?? '') !== (before[key] ?? ''))
  return Object.fromEntries(
    changed.map((attribute) => [attribute.key, readTyped(attribute, typed[attribute.key] ?? '')]),
  )
}
