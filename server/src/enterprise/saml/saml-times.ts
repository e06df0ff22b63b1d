// The times in the messages of a provider.
import { SamlRefusal } from './saml-refusal.ts'
import { type XmlElement, attribute } from './xml/xml-tree.ts'

/** How far the provider's clock may be wrong, in milliseconds. */
export const skew = 60_000
/** Whatever a message says itself, it is accepted for this long after it was issued, in milliseconds. */
export const ageMax = 600_000

const timePattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/

/** @throws SamlRefusal not_a_response */
export function timeIn(element: XmlElement, name: string): number | undefined {
  const text = attribute(element, name)
  if (text === undefined) return undefined
  const match = timePattern.exec(text.trim())
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}.${(match[2] ?? '0').slice(0, 3)}${match[3]}`)
  if (Number.isNaN(time)) throw new SamlRefusal('not_a_response', `${name} is not a time.`)
  return time
}
