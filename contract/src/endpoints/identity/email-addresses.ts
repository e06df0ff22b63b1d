import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { object, optional, page, plainId, text } from '../../schema.ts'
import { CreateEmailAddress, EmailAddress } from '../../shapes/identity/user.ts'
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

const tag = 'E-mail addresses'
const located = { locates: 'email_addresses', by: 'body.id' } as const
const byIdExample = { body: { id: sample.emailId }, response: sample.emailAddress }

export const listTenantEmailAddresses = endpoint({
  ...listOfTenant,
  id: 'listTenantEmailAddresses',
  path: '/tenants/{tenantId}/auth/email-addresses',
  tag,
  summary: 'List the e-mail addresses of all users of a tenant',
  response: page(EmailAddress),
  example: { params: tenantParams, response: pageOf(sample.emailAddress) },
})

export const listUserEmailAddresses = endpoint({
  ...listOfUser,
  id: 'listUserEmailAddresses',
  path: '/auth/users/{userId}/email-addresses',
  tag,
  summary: 'List the e-mail addresses of a user',
  response: page(EmailAddress),
  example: { params: userParams, response: pageOf(sample.emailAddress) },
})

export const getEmailAddress = endpoint({
  ...read,
  id: 'getEmailAddress',
  path: '/auth/email-addresses/{id}',
  tag,
  summary: 'Read an e-mail address',
  tenant: { locates: 'email_addresses', by: 'params.id' },
  response: EmailAddress,
  example: { params: { id: sample.emailId }, response: sample.emailAddress },
})

export const createEmailAddress = endpoint({
  ...creation,
  id: 'createEmailAddress',
  path: '/auth/email-addresses',
  tag,
  summary: 'Add an e-mail address to a user',
  description: 'The address is unverified at first, and primary if the user has no other.',
  body: CreateEmailAddress,
  response: EmailAddress,
  errors: ['not_found', 'email_taken', 'contact_limit_reached'],
  example: {
    body: { tenantId: sample.tenantId, userId: sample.userId, email: sample.email },
    response: sample.emailAddress,
  },
})

export const updateEmailAddress = endpoint({
  id: 'updateEmailAddress',
  method: 'PUT',
  path: '/auth/email-addresses',
  tag,
  summary: 'Change an e-mail address',
  description: 'A different spelling counts as a different address, which must be verified again.',
  permission: 'users:write',
  tenant: located,
  body: object({ id: plainId(), email: optional(text({ format: 'email' })) }),
  response: EmailAddress,
  errors: ['not_found', 'email_taken'],
  example: { body: { id: sample.emailId, email: sample.email }, response: sample.emailAddress },
})

export const deleteEmailAddress = endpoint({
  ...removal,
  id: 'deleteEmailAddress',
  path: '/auth/email-addresses',
  tag,
  summary: 'Remove an e-mail address from its user',
  tenant: { locates: 'email_addresses', by: 'query.id' },
  example: { query: { id: sample.emailId }, response: { deleted: true } },
})

export const makePrimaryEmailAddress = endpoint({
  ...mark,
  id: 'makePrimaryEmailAddress',
  path: '/auth/email-addresses/make-primary',
  tag,
  summary: "Make an e-mail address its user's primary one",
  tenant: located,
  response: EmailAddress,
  example: byIdExample,
})

export const verifyEmailAddress = endpoint({
  ...mark,
  id: 'verifyEmailAddress',
  path: '/auth/email-addresses/verify',
  tag,
  summary: 'Mark an e-mail address as verified without a code',
  description: verifiedOnce,
  tenant: located,
  isBodyExact: true,
  response: EmailAddress,
  example: byIdExample,
})
