import { endpoint } from '../../endpoint.ts'
import { sample, samplePersonDetails } from '../../examples.ts'
import { array, id, object } from '../../schema.ts'
import { SessionRecord } from '../../shapes/identity/session.ts'
import { UserDetails } from '../../shapes/identity/user.ts'
import { DayCount, Statistic } from '../../shapes/statistic.ts'

const tag = 'Statistics'
const ofTenant = {
  tag,
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  errors: ['not_found'],
} as const
const example = { query: { tenantId: sample.tenantId } }
const byDay = 'Covers the last 30 days in UTC, including today, oldest first.'

export const listStatistics = endpoint({
  ...ofTenant,
  id: 'listStatistics',
  method: 'GET',
  path: '/auth/stats',
  summary: 'Read the numbers of a tenant, and their change in 30 days',
  response: array(Statistic),
  example: {
    ...example,
    response: [
      { name: 'Total Users', value: 1204, change: 31, changeType: 'up' },
      { name: 'Active Users', value: 870, change: -12, changeType: 'down' },
      { name: 'Sign Ups', value: 40, change: 4, changeType: 'up' },
      { name: 'Sign Ins', value: 3110, change: 0, changeType: 'none' },
    ],
  },
})

export const listSignUpsByDay = endpoint({
  ...ofTenant,
  id: 'listSignUpsByDay',
  method: 'GET',
  path: '/auth/stats/sign-ups-by-day',
  summary: 'Count the users that were created on each day',
  description: byDay,
  response: array(DayCount),
  example: { ...example, response: [{ date: '2026-11-20', count: 3 }] },
})

export const listSessionsByDay = endpoint({
  ...ofTenant,
  id: 'listSessionsByDay',
  method: 'GET',
  path: '/auth/stats/sessions-by-day',
  summary: 'Count the sessions that began on each day',
  description: byDay,
  response: array(DayCount),
  example: { ...example, response: [{ date: '2026-11-20', count: 12 }] },
})

export const listRecentSignUps = endpoint({
  ...ofTenant,
  id: 'listRecentSignUps',
  method: 'GET',
  path: '/auth/stats/recent-sign-ups',
  summary: 'List the ten users who were created last',
  response: array(UserDetails),
  example: { ...example, response: [{ ...sample.user, ...samplePersonDetails }] },
})

export const listRecentSignIns = endpoint({
  ...ofTenant,
  id: 'listRecentSignIns',
  method: 'GET',
  path: '/auth/stats/recent-sign-ins',
  summary: 'List the ten sessions that began last, including those that have ended',
  response: array(SessionRecord),
  example: { ...example, response: [sample.sessionRecord] },
})
