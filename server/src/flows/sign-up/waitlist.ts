// Joining the waiting list of a tenant whose sign-up is closed. Nothing is sent, so nobody can have others get mail.
import type { Deps } from '../../identity/deps.ts'
import type { DataPart } from '../../identity/people/export.ts'
import { addToWaitlist, readUserEntries } from '../../identity/waitlist/joining.ts'
import { presentEntry } from '../../identity/waitlist/present.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { addressRange } from '../../platform/http/limits/address-limit.ts'
import { type Quota, takeQuota } from '../../platform/quotas/quotas.ts'
import { assertChallenge } from '../challenges/challenge-rule.ts'
import type { AnyCall } from '../frontend/flow.ts'
import { assertAddressAllowed } from './address-rules.ts'

/** How many addresses one range may leave in a day, over all nodes. */
const leftByRange: Quota = { name: 'waitlist:day', usesMax: 50, windowSeconds: 24 * 60 * 60 }
/** The same in a development server, whose tests all come from one address. */
const leftInDevelopment: Quota = { ...leftByRange, usesMax: 2000 }

/** @throws ApiError waitlist_closed, email_not_allowed, challenge_required, too_many_attempts */
export async function joinWaitlist(deps: Deps, call: AnyCall, { email }: { readonly email: string }) {
  const { tenant, tenantId } = call
  const { auth, row } = tenant
  if (auth.signUpEnabled || !auth.waitlistEnabled || row.kind === 'console') throw new ApiError('waitlist_closed')
  await assertChallenge(deps, call, 'sign_up')
  assertAddressAllowed(auth, { email, verified: [] })
  const quota = deps.config.env === 'development' ? leftInDevelopment : leftByRange
  await deps.db.transaction(async (tx) => {
    await takeQuota(deps, tx, tenantId, quota, addressRange(call.request))
    await addToWaitlist(deps, tx, tenantId, email, call.actor(null))
  })
  return { joined: true }
}

async function* readEntries(...[{ db }, { row }]: Parameters<DataPart['forTenant']>) {
  yield* (await readUserEntries(db, row.tenant_id, row.id)).map(presentEntry)
}

/** The entries of the user's addresses, as a part of the exports of all data about the user. */
export const waitlistPart: DataPart = { name: 'waitlist', forTenant: readEntries, forUser: readEntries }
