// Lists users as callers of the management interface do.
import assert from 'node:assert/strict'
import type { UserDetails } from '@bailiwick/contract'
import type { TestService } from '../service.ts'

export interface UserList {
  readonly data: UserDetails[]
  readonly meta: { total: number; count: number; prev: string | null; next: string | null }
}

export const listUsers = (service: TestService, tenantId: string, query: Record<string, string> = {}) =>
  service.ok<UserList>('listUsers', { query: { tenantId, ...query } })

/** Reads every page from the first one on, then every page back; both directions must show the same. */
export async function walkBothWays(service: TestService, tenantId: string, query: Record<string, string>) {
  const forward: string[] = []
  let page = await listUsers(service, tenantId, query)
  for (;;) {
    forward.push(...page.data.map((user) => user.id))
    if (page.meta.next === null) break
    page = await listUsers(service, tenantId, { ...query, cursor: page.meta.next })
  }
  const backward: string[] = []
  for (;;) {
    backward.unshift(...page.data.map((user) => user.id))
    if (page.meta.prev === null) break
    page = await listUsers(service, tenantId, { ...query, cursor: page.meta.prev })
  }
  assert.deepEqual(backward, forward)
  return forward
}
