// What the form for a new API key says, on the pages of an account and of an organization.
import { addMilliseconds } from '../platform/clock.ts'
import type { PageCall } from './call/page-call.ts'

const dayMs = 24 * 60 * 60_000

export interface OfferedKey {
  readonly scopes: readonly string[]
  readonly daysMax: number
}

/** @param offer the scopes that the page has shown as boxes; others are not read. */
export function readNewKey(page: PageCall, offer: OfferedKey) {
  const days = Number(page.field('days') ?? '')
  const isLimited = Number.isSafeInteger(days) && days > 0 && days <= 3650
  return {
    name: page.field('name')?.trim() ?? '',
    scopes: offer.scopes.filter((scope) => page.field(`scope:${scope}`) === '1'),
    expiresAt: isLimited ? addMilliseconds(page.deps.clock.now(), days * dayMs) : null,
  }
}
