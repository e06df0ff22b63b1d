import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, id, object } from '../../schema.ts'
import { MediaStatistic } from '../../shapes/media/media.ts'
import { DayCount, DaySize } from '../../shapes/statistic.ts'

const tag = 'Statistics'
const ofTenant = {
  tag,
  permission: 'media:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id() }),
  errors: ['not_found'],
} as const
const example = { query: { tenantId: sample.tenantId } }
const byDay = 'Covers the last 30 days in UTC, including today, oldest first.'

export const listMediaStatistics = endpoint({
  ...ofTenant,
  id: 'listMediaStatistics',
  method: 'GET',
  path: '/media/stats',
  summary: "Read the numbers of a tenant's files, and their change in 30 days",
  response: array(MediaStatistic),
  example: {
    ...example,
    response: [
      { name: 'Total Files', value: 214, change: 9, changeType: 'up' },
      { name: 'Total Bytes', value: 48_120_331, change: 1_204_882, changeType: 'up' },
      { name: 'Files Uploaded', value: 11, change: -3, changeType: 'down' },
      { name: 'Bytes Uploaded', value: 1_390_112, change: 0, changeType: 'none' },
    ],
  },
})

export const listFilesByDay = endpoint({
  ...ofTenant,
  id: 'listFilesByDay',
  method: 'GET',
  path: '/media/stats/files-by-day',
  summary: 'Count the files that were added on each day',
  description: byDay,
  response: array(DayCount),
  example: { ...example, response: [{ date: '2026-11-20', count: 3 }] },
})

export const listBytesByDay = endpoint({
  ...ofTenant,
  id: 'listBytesByDay',
  method: 'GET',
  path: '/media/stats/bytes-by-day',
  summary: 'Count the bytes of files that were added on each day',
  description: byDay,
  response: array(DayCount),
  example: { ...example, response: [{ date: '2026-11-20', count: 418_204 }] },
})

export const listUploadSizesByDay = endpoint({
  ...ofTenant,
  id: 'listUploadSizesByDay',
  method: 'GET',
  path: '/media/stats/upload-size-by-day',
  summary: 'Count the bytes of files that were added on each day, as `size`',
  description: `${byDay} These are the same numbers as those of bytes-by-day.`,
  response: array(DaySize),
  example: { ...example, response: [{ date: '2026-11-20', size: 418_204 }] },
})
