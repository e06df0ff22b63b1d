import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, oneOf, optional, page, pageQuery, plainId, text } from '../../schema.ts'
import { WaitlistDecision, WaitlistEntry, WaitlistOutcome, waitlistStatuses } from '../../shapes/identity/waitlist.ts'

const tag = 'Waiting list'
const entry = sample.waitlistEntry
const body = { tenantId: sample.tenantId, ids: [entry.id] }

export const listWaitlist = endpoint({
  id: 'listWaitlist',
  method: 'GET',
  path: '/auth/waitlist',
  tag,
  summary: 'List the addresses on the waiting list of a tenant, newest first',
  description: '`meta.total` counts at most 1,000 entries; if there are more, it is 1,001.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({ tenantId: id(), ...pageQuery.properties, status: optional(oneOf(waitlistStatuses)) }),
  response: page(WaitlistEntry),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId, status: 'waiting' }, response: pageOf(entry) },
})

export const approveWaitlist = endpoint({
  id: 'approveWaitlist',
  method: 'POST',
  path: '/auth/waitlist/approve',
  tag,
  summary: 'Let addresses on the waiting list sign up',
  description:
    'Sends each an invitation with which this address alone can sign up, within 14 days. One that was approved or declined before gets a new invitation, which replaces the earlier one. Refused (`no_channel`) while the tenant has no channel that sends e-mails.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: WaitlistDecision,
  response: WaitlistOutcome,
  errors: ['not_found', 'message_quota_reached'],
  example: { body, response: { entries: [{ ...entry, status: 'approved' }], skipped: [] } },
})

export const declineWaitlist = endpoint({
  id: 'declineWaitlist',
  method: 'POST',
  path: '/auth/waitlist/decline',
  tag,
  summary: 'Decline addresses on the waiting list',
  description: 'They get no message. An invitation that was sent before is no longer valid.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: WaitlistDecision,
  response: WaitlistOutcome,
  errors: ['not_found'],
  example: { body, response: { entries: [{ ...entry, status: 'declined' }], skipped: [] } },
})

export const deleteWaitlistEntry = endpoint({
  id: 'deleteWaitlistEntry',
  method: 'DELETE',
  path: '/auth/waitlist/{id}',
  tag,
  summary: 'Remove an address from the waiting list',
  description: 'An invitation that was sent before is no longer valid. The address can join again.',
  permission: 'users:write',
  tenant: { locates: 'waitlist_entries', by: 'params.id' },
  params: object({ id: plainId() }),
  response: object({ id: text() }),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { id: entry.id }, response: { id: entry.id } },
})
