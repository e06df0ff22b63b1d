import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { page } from '../../schema.ts'
import { CreatePhoneNumber, PhoneNumber } from '../../shapes/identity/user.ts'
import {
  creation,
  listOfTenant,
  listOfUser,
  mark,
  read,
  removal,
  tenantParams,
  userParams,
  verifiedOnce,
} from './contact-parts.ts'

const tag = 'Phone numbers'
const located = { locates: 'phone_numbers', by: 'body.id' } as const
const byIdExample = { body: { id: sample.phoneId }, response: sample.phoneNumber }

export const listTenantPhoneNumbers = endpoint({
  ...listOfTenant,
  id: 'listTenantPhoneNumbers',
  path: '/tenants/{tenantId}/auth/phone-numbers',
  tag,
  summary: 'List the phone numbers of all users of a tenant',
  response: page(PhoneNumber),
  example: { params: tenantParams, response: pageOf(sample.phoneNumber) },
})

export const listUserPhoneNumbers = endpoint({
  ...listOfUser,
  id: 'listUserPhoneNumbers',
  path: '/auth/users/{userId}/phone-numbers',
  tag,
  summary: 'List the phone numbers of a user',
  response: page(PhoneNumber),
  example: { params: userParams, response: pageOf(sample.phoneNumber) },
})

export const getPhoneNumber = endpoint({
  ...read,
  id: 'getPhoneNumber',
  path: '/auth/phone-numbers/{id}',
  tag,
  summary: 'Read a phone number',
  tenant: { locates: 'phone_numbers', by: 'params.id' },
  response: PhoneNumber,
  example: { params: { id: sample.phoneId }, response: sample.phoneNumber },
})

export const createPhoneNumber = endpoint({
  ...creation,
  id: 'createPhoneNumber',
  path: '/auth/phone-numbers',
  tag,
  summary: 'Add a phone number to a user',
  description: 'The number is unverified at first, and primary if the user has no other.',
  body: CreatePhoneNumber,
  response: PhoneNumber,
  errors: ['not_found', 'phone_taken', 'contact_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, userId: sample.userId, phone: '+49 30 1234567' },
    response: sample.phoneNumber,
  },
})

export const deletePhoneNumber = endpoint({
  ...removal,
  id: 'deletePhoneNumber',
  path: '/auth/phone-numbers',
  tag,
  summary: 'Remove a phone number from its user',
  tenant: { locates: 'phone_numbers', by: 'query.id' },
  example: { query: { id: sample.phoneId }, response: { deleted: true } },
})

export const makePrimaryPhoneNumber = endpoint({
  ...mark,
  id: 'makePrimaryPhoneNumber',
  path: '/auth/phone-numbers/make-primary',
  tag,
  summary: "Make a phone number its user's primary one",
  tenant: located,
  response: PhoneNumber,
  example: byIdExample,
})

export const verifyPhoneNumber = endpoint({
  ...mark,
  id: 'verifyPhoneNumber',
  path: '/auth/phone-numbers/verify',
  tag,
  summary: 'Mark a phone number as verified without a code',
  description: verifiedOnce,
  tenant: located,
  response: PhoneNumber,
  example: byIdExample,
})
