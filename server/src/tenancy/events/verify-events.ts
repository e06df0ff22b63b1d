// GET /tenants/{tenantId}/events/verify: the check of the event log in parts, so that a long log keeps no request waiting.
import type { EventLogCheck } from '@bailiwick/contract'
import { type PartStart, verifyPart } from '../../platform/events/verify.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { getTenant } from '../tenants/tenants.ts'

const textOf = (start: PartStart) =>
  'afterSeal' in start ? `seal.${start.afterSeal}` : `event.${start.head}.${start.afterEvent}`

/** Reads a text that the contract has checked already. */
function startOf(text: string): PartStart {
  const [kind, number = '', ...time] = text.split('.')
  return kind === 'seal' ? { afterSeal: Number(number) } : { head: Number(number), afterEvent: time.join('.') }
}

/** @throws ApiError not_found for a tenant that does not exist. */
export async function verifyEvents(deps: Deps, tenantId: TenantId, from = 'seal.0'): Promise<EventLogCheck> {
  await getTenant(deps, tenantId)
  const { checked, removed, problems, next } = await verifyPart(deps, tenantId, startOf(from))
  return { checked, removed, problems: [...problems], next: next === null ? null : textOf(next) }
}
