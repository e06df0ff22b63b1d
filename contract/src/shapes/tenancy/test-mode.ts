import type { Static } from 'typebox'
import { integer, nullableText, object, oneOf, text, timestamp } from '../../schema.ts'
import { channelTypes } from '../messaging/channel.ts'

/** Ten years of 365.25 days. */
const aheadSecondsMax = 315_576_000

const aheadSeconds = () =>
  integer({
    minimum: 0,
    maximum: aheadSecondsMax,
    description: 'By how many seconds the clock of the tenant is ahead of the real time, at most ten years',
  })

/** What a tenant in test mode takes for the present time. */
export const TenantClock = object({ now: timestamp(), aheadSeconds: aheadSeconds() })
export type TenantClock = Static<typeof TenantClock>

/** How far ahead the clock goes. */
export const MoveTenantClock = object({ aheadSeconds: aheadSeconds() })
export type MoveTenantClock = Static<typeof MoveTenantClock>

/** A message that was caught instead of being sent. */
export const InboxMessage = object({
  id: text(),
  to: text(),
  channelType: oneOf(channelTypes),
  purpose: text({ description: 'Such as sign_in, password_reset or organization_invitation' }),
  subject: nullableText(),
  text: text(),
  code: nullableText(),
  link: nullableText(),
  createdAt: timestamp(),
})
export type InboxMessage = Static<typeof InboxMessage>
