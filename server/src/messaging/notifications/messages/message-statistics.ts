// Statistics of a tenant's messages, from day counters.
import type { MessageDayCount, MessageStatistic } from '@bailiwick/contract'
import { readCounters } from '../../../platform/db/counters.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type DayCountName, daysBefore, windowDays } from '../../../platform/statistics/day-counters.ts'
import { getTenant } from '../../../tenancy/tenants/tenants.ts'
import type { Deps } from '../../deps.ts'

const counted = ['queued', 'sent', 'failed'] as const
type Counted = (typeof counted)[number]

const titles = { queued: 'Messages Queued', sent: 'Messages Sent', failed: 'Messages Failed' } as const

/** Returns how many messages reached each final status on each of these days. */
async function readDays({ db }: Deps, tenantId: TenantId, what: Counted, days: readonly string[]): Promise<number[]> {
  const name: DayCountName = `messages_${what}`
  const counters = await readCounters(
    db,
    tenantId,
    days.map((day) => `${name}:${day}`),
  )
  return days.map((day) => counters.get(`${name}:${day}`) ?? 0)
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Returns the last 30 days, with zeros for days without messages. @throws ApiError not_found */
export async function countMessagesByDay(deps: Deps, tenantId: TenantId): Promise<MessageDayCount[]> {
  await getTenant(deps, tenantId)
  const days = daysBefore(deps.clock.now(), 0, windowDays)
  const [queued = [], sent = [], failed = []] = await Promise.all(
    counted.map((what) => readDays(deps, tenantId, what, days)),
  )
  return days.map((date, index) => ({
    date,
    queued: queued[index] ?? 0,
    sent: sent[index] ?? 0,
    failed: failed[index] ?? 0,
  }))
}

/** @throws ApiError not_found */
export async function readMessageStatistics(deps: Deps, tenantId: TenantId): Promise<MessageStatistic[]> {
  await getTenant(deps, tenantId)
  const now = deps.clock.now()
  const statistic = async (what: Counted): Promise<MessageStatistic> => {
    const [value, before] = await Promise.all([
      readDays(deps, tenantId, what, daysBefore(now, 0, windowDays)).then(sum),
      readDays(deps, tenantId, what, daysBefore(now, windowDays, windowDays)).then(sum),
    ])
    const change = value - before
    return { name: titles[what], value, change, changeType: change === 0 ? 'none' : change > 0 ? 'up' : 'down' }
  }
  return Promise.all(counted.map(statistic))
}
