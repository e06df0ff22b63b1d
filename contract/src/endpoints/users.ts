import { endpoint, metaBodyBytesMax } from '../endpoint.ts'
import { pageOf, sample, samplePersonDetails } from '../examples.ts'
import { id, object, oneOf, optional, page, pageQuery, plainId, recordBasis, text } from '../schema.ts'
import { CreateUser, UpdateUser, User, UserDetails, userStatuses } from '../shapes/user.ts'

const tag = 'Users'
const params = object({ id: plainId() })
const sampleDetails = { ...sample.user, ...samplePersonDetails }
const idExample = { params: { id: sample.userId } }

export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path: '/auth/users',
  tag,
  summary: 'Create a user',
  description:
    "For your server: formats and uniqueness are enforced, but not the tenant's switches for self-service. The first e-mail and phone become primary.",
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: CreateUser,
  bodyBytesMax: metaBodyBytesMax,
  response: User,
  errors: ['not_found', 'email_taken', 'username_taken', 'phone_taken'],
  example: {
    body: {
      tenantId: sample.tenantId,
      name: 'Ada',
      username: 'ada',
      email: sample.email,
      roleId: sample.roleId,
      publicMeta: { locale: 'en' },
    },
    response: sample.user,
  },
})

export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/auth/users',
  tag,
  summary: 'The users of a tenant',
  description:
    '`query` finds users by the beginning of the name, of its last word, of the username, an e-mail address or a phone number, or by the whole id, without regard to case. `meta.total` of a search counts 1,000 matches at most; if there are more, it is 1,001.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({
    tenantId: id(),
    ...pageQuery.properties,
    query: optional(text({ maxLength: 256, format: 'text' })),
    status: optional(oneOf(userStatuses)),
    roleId: optional(plainId()),
  }),
  response: page(UserDetails),
  errors: ['not_found'],
  example: { query: { tenantId: sample.tenantId, query: 'ada' }, response: pageOf(sampleDetails) },
})

export const getUser = endpoint({
  id: 'getUser',
  method: 'GET',
  path: '/auth/users/{id}',
  tag,
  summary: 'Read a user',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: object({ status: oneOf(['success']), data: UserDetails }),
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, response: { status: 'success', data: sampleDetails } },
})

export const updateUser = endpoint({
  id: 'updateUser',
  method: 'PUT',
  path: '/auth/users/{id}',
  tag,
  summary: 'Change a user',
  description: 'What the body leaves out stays as it is; null unsets.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateUser,
  bodyBytesMax: metaBodyBytesMax,
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id', 'username_taken', 'changed_meanwhile'],
  example: { ...idExample, body: { name: 'Ada' }, response: sampleDetails },
})

export const deleteUser = endpoint({
  id: 'deleteUser',
  method: 'DELETE',
  path: '/auth/users/{id}',
  tag,
  summary: 'Erase a user',
  description:
    'Removes the user with all addresses, numbers and memberships; what events say about the person can no longer be read.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: object({ id: text() }),
  errors: ['not_found', 'ambiguous_id', 'last_admin'],
  example: { ...idExample, response: { id: sample.userId } },
})

export const changeUserPassword = endpoint({
  id: 'changeUserPassword',
  method: 'PUT',
  path: '/auth/users/{id}/change-password',
  tag,
  summary: "Set a user's password",
  description: "Ends the user's sessions. The user is asked for a new password at the next sign-in.",
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  body: object({ password: text({ format: 'password' }) }),
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, body: { password: 'correct horse battery staple' }, response: sampleDetails },
})

export const suspendUser = endpoint({
  id: 'suspendUser',
  method: 'PUT',
  path: '/auth/users/{id}/suspend',
  tag,
  summary: 'Suspend a user',
  description: "Ends the user's sessions; the user cannot sign in until unsuspended.",
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, response: { ...sampleDetails, status: 'suspended' } },
})

export const unlockUser = endpoint({
  id: 'unlockUser',
  method: 'POST',
  path: '/auth/users/{id}/unlock',
  tag,
  summary: 'Unlock a user whose account others have guessed at',
  description:
    "Forgets the wrong passwords and codes that were counted against the user's account, from whatever device, and how many codes were " +
    'sent to it. A new password (change-password) and unsuspending do the same. Passwords, second factors and sessions stay as they are.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, response: sampleDetails },
})

export const unsuspendUser = endpoint({
  id: 'unsuspendUser',
  method: 'PUT',
  path: '/auth/users/{id}/unsuspend',
  tag,
  summary: 'Make a suspended user active again',
  description: 'Also forgets wrong guesses at the account, as unlock does.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, response: sampleDetails },
})
