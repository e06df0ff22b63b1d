// People who wait to be let in by a tenant whose sign-up is closed.
import type { Static } from 'typebox'
import { array, id, nullableTimestamp, object, oneOf, plainId, text, timestamp } from '../../schema.ts'

export const waitlistStatuses = ['waiting', 'approved', 'declined'] as const
export type WaitlistStatus = (typeof waitlistStatuses)[number]

/** An address on the waiting list of a tenant. */
export const WaitlistEntry = object({
  id: text(),
  tenantId: text(),
  email: text({ format: 'email' }),
  status: oneOf(waitlistStatuses, {
    description: '`approved`: an invitation was sent, and nobody has signed up with it yet',
  }),
  approvedAt: nullableTimestamp({ description: 'When the last invitation was sent' }),
  expiresAt: nullableTimestamp({ description: 'Until when that invitation is valid' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type WaitlistEntry = Static<typeof WaitlistEntry>

export const waitlistIdsMax = 100

/** The entries of one tenant that are approved or declined. */
export const WaitlistDecision = object({
  tenantId: id(),
  ids: array(plainId(), { minItems: 1, maxItems: waitlistIdsMax }),
})
export type WaitlistDecision = Static<typeof WaitlistDecision>

/** What became of the entries. */
export const WaitlistOutcome = object({
  entries: array(WaitlistEntry, { description: 'Those that were approved or declined' }),
  skipped: array(object({ id: text(), reason: oneOf(['not_found', 'user_exists']) }), {
    description: '`user_exists`: a user of the tenant has the address by now',
  }),
})
export type WaitlistOutcome = Static<typeof WaitlistOutcome>
