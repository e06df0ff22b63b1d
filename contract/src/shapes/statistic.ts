import type { Static } from 'typebox'
import { integer, object, oneOf, text } from '../schema.ts'

export const statisticNames = ['Total Users', 'Active Users', 'Sign Ups', 'Sign Ins'] as const
export const changeTypes = ['up', 'down', 'none'] as const

/** One number about the users of a tenant, and how it has changed. */
export const Statistic = object({
  name: oneOf(statisticNames),
  value: integer({
    description: 'The present number of users; for the others, the number in the last 30 days, including today',
  }),
  change: integer({ description: 'The value minus that of 30 days ago' }),
  changeType: oneOf(changeTypes),
})
export type Statistic = Static<typeof Statistic>

/** A count for one day. */
export const DayCount = object({ date: text({ description: 'A day in UTC: 2026-11-20' }), count: integer() })
export type DayCount = Static<typeof DayCount>

/** The bytes of a day under the name that clients of other servers read. */
export const DaySize = object({
  date: text({ description: 'A day in UTC: 2026-11-20' }),
  size: integer({ description: 'In bytes' }),
})
export type DaySize = Static<typeof DaySize>
