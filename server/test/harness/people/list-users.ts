// Lists users as callers of the management interface do.
import assert from 'node:assert/strict'
import type { User, UserDetails } from '@bailiwick/contract'
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

/** Compares a list that is walked both ways, and its total, with the users that it must have. Parameters without a value are left out. */
export async function checkList(
  service: TestService,
  tenantId: string,
  parameters: Readonly<Record<string, string | undefined>>,
  expected: readonly User[],
) {
  const query = Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  assert.deepEqual(
    await walkBothWays(service, tenantId, query),
    expected.map(({ id }) => id),
  )
  assert.equal((await listUsers(service, tenantId, query)).meta.total, expected.length)
}
