import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { boolean, id, object, optional, page, pageQuery, plainId, text } from '../../schema.ts'
import { CreateEmailAddress, EmailAddress } from '../../shapes/identity/user.ts'

const tag = 'E-mail addresses'

export const listTenantEmailAddresses = endpoint({
  id: 'listTenantEmailAddresses',
  method: 'GET',
  path: '/tenants/{tenantId}/auth/email-addresses',
  tag,
  summary: 'List the e-mail addresses of all users of a tenant',
  permission: 'users:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(EmailAddress),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.emailAddress) },
})

export const listUserEmailAddresses = endpoint({
  id: 'listUserEmailAddresses',
  method: 'GET',
  path: '/auth/users/{userId}/email-addresses',
  tag,
  summary: 'List the e-mail addresses of a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  query: pageQuery,
  response: page(EmailAddress),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { userId: sample.userId }, response: pageOf(sample.emailAddress) },
})

export const getEmailAddress = endpoint({
  id: 'getEmailAddress',
  method: 'GET',
  path: '/auth/email-addresses/{id}',
  tag,
  summary: 'Read an e-mail address',
  permission: 'users:read',
  tenant: { locates: 'email_addresses', by: 'params.id' },
  params: object({ id: plainId() }),
  response: EmailAddress,
  errors: ['not_found'],
  example: { params: { id: sample.emailId }, response: sample.emailAddress },
})

export const createEmailAddress = endpoint({
  id: 'createEmailAddress',
  method: 'POST',
  path: '/auth/email-addresses',
  tag,
  summary: 'Add an e-mail address to a user',
  description: 'The address is unverified at first, and primary if the user has no other.',
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
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
  tenant: { locates: 'email_addresses', by: 'body.id' },
  body: object({ id: plainId(), email: optional(text({ format: 'email' })) }),
  response: EmailAddress,
  errors: ['not_found', 'email_taken'],
  example: { body: { id: sample.emailId, email: sample.email }, response: sample.emailAddress },
})

export const deleteEmailAddress = endpoint({
  id: 'deleteEmailAddress',
  method: 'DELETE',
  path: '/auth/email-addresses',
  tag,
  summary: 'Remove an e-mail address from its user',
  description: 'If it was the primary one, the oldest verified one becomes primary, else the oldest, else none.',
  permission: 'users:write',
  tenant: { locates: 'email_addresses', by: 'query.id' },
  query: object({ id: plainId() }),
  response: object({ deleted: boolean() }),
  errors: ['not_found'],
  example: { query: { id: sample.emailId }, response: { deleted: true } },
})

export const makePrimaryEmailAddress = endpoint({
  id: 'makePrimaryEmailAddress',
  method: 'POST',
  path: '/auth/email-addresses/make-primary',
  tag,
  summary: "Make an e-mail address its user's primary one",
  permission: 'users:write',
  tenant: { locates: 'email_addresses', by: 'body.id' },
  body: object({ id: plainId() }),
  response: EmailAddress,
  errors: ['not_found'],
  example: { body: { id: sample.emailId }, response: sample.emailAddress },
})

export const verifyEmailAddress = endpoint({
  id: 'verifyEmailAddress',
  method: 'POST',
  path: '/auth/email-addresses/verify',
  tag,
  summary: 'Mark an e-mail address as verified without a code',
  description: 'Verifying it again keeps the first `verifiedAt`.',
  permission: 'users:write',
  tenant: { locates: 'email_addresses', by: 'body.id' },
  body: object({ id: plainId() }),
  isBodyExact: true,
  response: EmailAddress,
  errors: ['not_found'],
  example: { body: { id: sample.emailId }, response: sample.emailAddress },
})
