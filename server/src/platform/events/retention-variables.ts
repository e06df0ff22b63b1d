// For how long the operator lets tenants keep their events.
import { eventRetentionDaysMax, eventRetentionDaysMin } from '@bailiwick/contract'
import { integer, optional, withDefault } from '../config-variable.ts'

const days = integer(eventRetentionDaysMin, eventRetentionDaysMax)

export const retentionVariables = {
  eventRetentionDaysMin: withDefault({
    name: 'BAILIWICK_EVENT_RETENTION_DAYS_MIN',
    parse: days,
    default: String(eventRetentionDaysMin),
    description: `How many days a tenant must keep its events at least, ${eventRetentionDaysMin} to ${eventRetentionDaysMax}, if it has old ones removed.`,
  }),
  eventRetentionDaysMax: optional({
    name: 'BAILIWICK_EVENT_RETENTION_DAYS_MAX',
    parse: days,
    description: `After how many days the events of every tenant are removed, ${eventRetentionDaysMin} to ${eventRetentionDaysMax}; a tenant can have them removed earlier. By default each tenant keeps its events until it sets \`eventRetentionDays\`.`,
  }),
} as const
