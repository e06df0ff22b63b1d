// The address to which events are sent. This checks only the form; which hosts may be reached is decided by their address at each delivery.
import { isId } from './id.ts'

const lengthMax = 2048
const refusedCharacter = /[\s\\\p{Cc}]/u

export const webhookUrlRule = 'must be an absolute http or https URL without user name, password and fragment'

export function isWebhookUrl(value: string): boolean {
  if (value.length > lengthMax || refusedCharacter.test(value) || !value.isWellFormed()) return false
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return url.username === '' && url.password === '' && !value.includes('#') && url.hostname !== ''
}

export const layerUrlRule =
  'must be the id of a file, or an absolute http or https URL without user name, password and fragment'

/** The source of a picture that a step lays over another: a file of the tenant, or an address on the web. */
export const isLayerUrl = (value: string): boolean => isId(value) || isWebhookUrl(value)
