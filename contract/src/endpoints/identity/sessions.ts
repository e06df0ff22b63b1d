import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { createdRange, id, narrowedTotal, object, optional, page, pageQuery, plainId } from '../../schema.ts'
import { ImpersonateUser, NewSession, SessionRecord } from '../../shapes/identity/session.ts'

const tag = 'Sessions'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.session.id } }

export const listTenantSessions = endpoint({
  id: 'listTenantSessions',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/sessions',
  tag,
  summary: 'List the live sessions of a tenant',
  description: narrowedTotal,
  permission: 'users:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    userId: optional(plainId({ description: 'Only sessions of this user' })),
  }),
  response: page(SessionRecord),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.sessionRecord) },
})

export const listUserSessions = endpoint({
  id: 'listUserSessions',
  method: 'GET',
  path: '/auth/users/{userId}/sessions',
  tag,
  summary: 'List the live sessions of a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  query: pageQuery,
  response: page(SessionRecord),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { userId: sample.userId }, response: pageOf(sample.sessionRecord) },
})

export const getSession = endpoint({
  id: 'getSession',
  method: 'GET',
  path: '/auth/sessions/{id}',
  tag,
  summary: 'Read a live session',
  permission: 'users:read',
  tenant: { locates: 'sessions', by: 'params.id' },
  params,
  response: SessionRecord,
  errors: ['not_found'],
  example: { ...idExample, response: sample.sessionRecord },
})

export const deleteSession = endpoint({
  id: 'deleteSession',
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  tag,
  summary: 'End a session',
  description: 'Every node refuses it within a second.',
  permission: 'users:write',
  tenant: { locates: 'sessions', by: 'params.id' },
  params,
  response: SessionRecord,
  errors: ['not_found'],
  example: { ...idExample, response: sample.sessionRecord },
})

export const impersonateUser = endpoint({
  id: 'impersonateUser',
  method: 'POST',
  path: '/auth/users/{id}/impersonate',
  tag,
  summary: 'Impersonate a user',
  description:
    'Opens a session of ten minutes that names its actor. The audit log records the reason, and the actor of each change in the session.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  body: ImpersonateUser,
  response: NewSession,
  errors: ['not_found', 'ambiguous_id', 'user_not_active'],
  example: {
    params: { id: sample.userId },
    body: { reason: 'Ticket 4711: cannot see invoices' },
    response: { session: sample.sessionRecord, sessionToken: 'se_0Tq…' },
  },
})
