// Where the picture comes from that a step lays on another: a file of the tenant, or the web. Which hosts may be reached is
// decided by address when it is fetched; this is the form alone.
import { isId } from './id.ts'
import { isWebhookUrl } from './webhook-url.ts'

export const layerUrlRule =
  "must be a file's id, or an absolute http or https address without user name, password and fragment"

export const isLayerUrl = (value: string): boolean => isId(value) || isWebhookUrl(value)
