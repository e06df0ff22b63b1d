// The source of a picture that a step lays over another: a file of the tenant, or an address on the web. This checks only the form; which
// hosts may be reached is decided by their address when the picture is fetched.
import { isId } from './id.ts'
import { isWebhookUrl } from './webhook-url.ts'

export const layerUrlRule =
  'must be the id of a file, or an absolute http or https URL without user name, password and fragment'

export const isLayerUrl = (value: string): boolean => isId(value) || isWebhookUrl(value)
