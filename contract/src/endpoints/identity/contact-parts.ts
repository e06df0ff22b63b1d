// What the operations on e-mail addresses and on phone numbers have in common.
import { sample } from '../../examples.ts'
import { boolean, id, object, pageQuery, plainId } from '../../schema.ts'

/** Lists those of all users of a tenant. */
export const listOfTenant = {
  method: 'GET',
  permission: 'users:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  errors: ['not_found'],
} as const
export const tenantParams = { tenantId: sample.tenantId }

/** Lists those of one user. */
export const listOfUser = {
  method: 'GET',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  query: pageQuery,
  errors: ['not_found', 'ambiguous_id'],
} as const
export const userParams = { userId: sample.userId }

export const read = {
  method: 'GET',
  permission: 'users:read',
  params: object({ id: plainId() }),
  errors: ['not_found'],
} as const

export const creation = { method: 'POST', permission: 'users:write', tenant: { from: 'body.tenantId' } } as const

export const removal = {
  method: 'DELETE',
  description: 'If it was the primary one, the oldest verified one becomes primary, else the oldest, else none.',
  permission: 'users:write',
  query: object({ id: plainId() }),
  response: object({ deleted: boolean() }),
  errors: ['not_found'],
} as const

/** Makes one primary, or marks it as verified. */
export const mark = {
  method: 'POST',
  permission: 'users:write',
  body: object({ id: plainId() }),
  errors: ['not_found'],
} as const
export const verifiedOnce = 'Verifying it again keeps the first `verifiedAt`.'
