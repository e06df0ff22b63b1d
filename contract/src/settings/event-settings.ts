// For how long the events of a tenant are kept.
import type { Setting } from './setting-kinds.ts'

/** Deliveries of webhooks can be repeated for 30 days, and need their events. */
export const eventRetentionDaysMin = 30
export const eventRetentionDaysMax = 3650

export const eventSettings = {
  eventRetentionDays: {
    kind: 'integer',
    default: 0,
    minimum: 0,
    maximum: eventRetentionDaysMax,
    unit: 'days',
    group: 'eventLog',
    label: 'Remove events after',
    help: `Events that are older than so many days, at least ${eventRetentionDaysMin}, are removed, and the log says how many. 0 keeps them as long as this server allows: for ever, unless its operator has set a limit.`,
  },
} as const satisfies Readonly<Record<string, Setting>>
