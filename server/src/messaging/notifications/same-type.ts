import type { ChannelType } from '@bailiwick/contract'
import { invalid } from '../../platform/http/api-error.ts'

/**
 * A client may send the record back as it got it.
 * @throws ApiError validation_failed where it names another type than the record has.
 */
export function assertSameType(type: ChannelType, named: ChannelType | undefined) {
  if (named === undefined || named === type) return
  throw invalid('/type', 'invalid_value', `is ${type} and cannot be changed`)
}
