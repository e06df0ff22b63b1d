import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, narrowedTotal, object, optional, page, pageQuery, plainId } from '../../schema.ts'
import { InboxMessage, MoveTenantClock, TenantClock } from '../../shapes/tenancy/test-mode.ts'

const params = object({ id: id() })
const ofTenant = { tag: 'Test mode', tenant: { from: 'params.id' }, params } as const
const onClock = {
  ...ofTenant,
  path: '/tenants/{id}/clock',
  response: TenantClock,
  errors: ['not_found', 'test_mode_unavailable'],
} as const
const idExample = { id: sample.tenantId }
const now = '2026-12-21T08:00:00.000123Z'

export const getTenantClock = endpoint({
  ...onClock,
  id: 'getTenantClock',
  method: 'GET',
  summary: 'Read the clock of a tenant in test mode',
  permission: 'config:read',
  example: { params: idExample, response: { now, aheadSeconds: 2_592_000 } },
})

export const putTenantClock = endpoint({
  ...onClock,
  id: 'putTenantClock',
  method: 'PUT',
  summary: 'Move the clock of a tenant in test mode ahead',
  description:
    'Sessions, codes, invitations, tokens, lock-outs, limits and retries of this tenant alone go by it, within a second on every node; the times of creation of records do not. It only goes forward: DELETE resets it.',
  permission: 'config:write',
  body: MoveTenantClock,
  example: { params: idExample, body: { aheadSeconds: 2_592_000 }, response: { now, aheadSeconds: 2_592_000 } },
})

export const resetTenantClock = endpoint({
  ...onClock,
  id: 'resetTenantClock',
  method: 'DELETE',
  summary: 'Set the clock of a tenant in test mode to the real time again',
  permission: 'config:write',
  example: { params: idExample, response: { now: '2026-11-21T08:00:00.000123Z', aheadSeconds: 0 } },
})

export const listInboxMessages = endpoint({
  ...ofTenant,
  id: 'listInboxMessages',
  method: 'GET',
  path: '/tenants/{id}/inbox',
  summary: 'List the caught messages of a tenant in test mode, newest first',
  description: `Those of the last 24 hours, with their codes and links: what was written to test addresses, or had no other channel. ${narrowedTotal}`,
  permission: 'users:write',
  query: object({
    ...pageQuery.properties,
    to: optional(plainId({ description: 'Only messages to this address or number' })),
  }),
  response: page(InboxMessage),
  errors: ['not_found', 'test_mode_unavailable'],
  example: {
    params: idExample,
    response: pageOf({
      id: sample.message.id,
      to: 'ada+test@example.com',
      channelType: 'email',
      purpose: 'sign_in',
      subject: 'Your code for Acme',
      text: '424242 is your code for Acme.',
      code: '424242',
      link: null,
      createdAt: now,
    }),
  },
})
