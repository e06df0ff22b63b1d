import type { ChannelType } from '@bailiwick/contract'
import { invalid } from '../../../platform/http/api-error.ts'

/**
 * Accepts a record that a client sends back as it received it.
 * @throws ApiError validation_failed if it names another type than the record's.
 */
export function assertSameType(type: ChannelType, named: ChannelType | undefined) {
  if (named === undefined || named === type) return
  throw invalid('/type', 'invalid_value', `must be ${type}, because the type cannot be changed`)
}
