import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { boolean, id, object, page, pageQuery, plainId } from '../../schema.ts'
import { CreatePhoneNumber, PhoneNumber } from '../../shapes/identity/user.ts'

const tag = 'Phone numbers'

export const listTenantPhoneNumbers = endpoint({
  id: 'listTenantPhoneNumbers',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/phone-numbers',
  tag,
  summary: 'List the phone numbers of all users of a tenant',
  permission: 'users:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(PhoneNumber),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.phoneNumber) },
})

export const listUserPhoneNumbers = endpoint({
  id: 'listUserPhoneNumbers',
  method: 'GET',
  path: '/auth/users/{userId}/phone-numbers',
  tag,
  summary: 'List the phone numbers of a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  query: pageQuery,
  response: page(PhoneNumber),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { userId: sample.userId }, response: pageOf(sample.phoneNumber) },
})

export const getPhoneNumber = endpoint({
  id: 'getPhoneNumber',
  method: 'GET',
  path: '/auth/phone-numbers/{id}',
  tag,
  summary: 'Read a phone number',
  permission: 'users:read',
  tenant: { locates: 'phone_numbers', by: 'params.id' },
  params: object({ id: plainId() }),
  response: PhoneNumber,
  errors: ['not_found'],
  example: { params: { id: sample.phoneId }, response: sample.phoneNumber },
})

export const createPhoneNumber = endpoint({
  id: 'createPhoneNumber',
  method: 'POST',
  path: '/auth/phone-numbers',
  tag,
  summary: 'Add a phone number to a user',
  description: 'The number is unverified at first, and primary if the user has no other.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: CreatePhoneNumber,
  response: PhoneNumber,
  errors: ['not_found', 'phone_taken', 'contact_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, userId: sample.userId, phone: '+49 30 1234567' },
    response: sample.phoneNumber,
  },
})

export const deletePhoneNumber = endpoint({
  id: 'deletePhoneNumber',
  method: 'DELETE',
  path: '/auth/phone-numbers',
  tag,
  summary: 'Remove a phone number from its user',
  description: 'If it was the primary one, the oldest verified one becomes primary, else the oldest, else none.',
  permission: 'users:write',
  tenant: { locates: 'phone_numbers', by: 'query.id' },
  query: object({ id: plainId() }),
  response: object({ deleted: boolean() }),
  errors: ['not_found'],
  example: { query: { id: sample.phoneId }, response: { deleted: true } },
})

export const makePrimaryPhoneNumber = endpoint({
  id: 'makePrimaryPhoneNumber',
  method: 'POST',
  path: '/auth/phone-numbers/make-primary',
  tag,
  summary: "Make a phone number its user's primary one",
  permission: 'users:write',
  tenant: { locates: 'phone_numbers', by: 'body.id' },
  body: object({ id: plainId() }),
  response: PhoneNumber,
  errors: ['not_found'],
  example: { body: { id: sample.phoneId }, response: sample.phoneNumber },
})

export const verifyPhoneNumber = endpoint({
  id: 'verifyPhoneNumber',
  method: 'POST',
  path: '/auth/phone-numbers/verify',
  tag,
  summary: 'Mark a phone number as verified without a code',
  description: 'Verifying it again keeps the first `verifiedAt`.',
  permission: 'users:write',
  tenant: { locates: 'phone_numbers', by: 'body.id' },
  body: object({ id: plainId() }),
  response: PhoneNumber,
  errors: ['not_found'],
  example: { body: { id: sample.phoneId }, response: sample.phoneNumber },
})
