import { endpoint, metaBodyBytesMax } from '../../endpoint.ts'
import { pageOf, sample, samplePersonDetails } from '../../examples.ts'
import { boolean, id, object, oneOf, optional, page, pageQuery, plainId, recordBasis, text } from '../../schema.ts'
import { CreateUser, UpdateUser, User, UserDetails, userStatuses } from '../../shapes/identity/user.ts'

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
    "For use by your server: formats and uniqueness are enforced, but not the tenant's rules for sign-up. The first e-mail address and the first phone number become primary.",
  permission: 'users:write',
  tenant: { from: 'body.tenantId' },
  body: CreateUser,
  bodyBytesMax: metaBodyBytesMax,
  response: User,
  errors: ['not_found', 'email_taken', 'username_taken', 'phone_taken', 'hook_denied'],
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
  summary: 'List the users of a tenant',
  description:
    '`query` finds users each of whose words, up to eight, begins a part of the name, of the username or of an e-mail address: `contoso`, `@contoso.example` and `king` find Ada King Lovelace with ada@contoso.example. It also finds users by the beginning of a phone number, or by the whole id. Case and accents do not matter. `meta.total` of a search counts at most 1,000 matches; if there are more, it is 1,001. One page looks through 20,000 users at most: it may have fewer users than `perPage`, or none, while `meta.next` is not null. `meta.total` is then 1,001, even if all pages have fewer matches.',
  permission: 'users:read',
  tenant: { from: 'query.tenantId' },
  query: object({
    tenantId: id(),
    ...pageQuery.properties,
    query: optional(text({ maxLength: 256, format: 'text' })),
    status: optional(oneOf(userStatuses)),
    roleId: optional(plainId()),
    isAnonymous: optional(
      oneOf(['true', 'false'], { description: 'Only users who have not signed up yet, or only those who have' }),
    ),
    attribute: optional(
      text({
        maxLength: 1100,
        format: 'text',
        description:
          'Only users who have this value of an attribute of the tenant, such as `company:Acme`, `seats:3` or `terms:true`. Case matters. Pages and `meta.total` have the limits of a search',
      }),
    ),
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
  description:
    'Properties that the body leaves out stay as they are; null removes a value. With `roleExpiresAt`, the role ends at that time. Tokens, keys, pages and permission questions follow it at once, on every node.',
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
    'Removes the user with all e-mail addresses, phone numbers and memberships. The personal data in events about the user can then no longer be read.',
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
  description:
    "Ends the user's sessions. The next sign-in asks the user for a new password. With `changeRequired` instead of `password` the present one stays until then; where `administratorsChoosePasswords` is off, that is the only way.",
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  body: object({
    password: optional(text({ format: 'password' })),
    changeRequired: optional(boolean({ description: 'Keeps the present password until the user has chosen another' })),
  }),
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
  description: "Ends the user's sessions. The user cannot sign in until the suspension is removed.",
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
  summary: 'Unlock a user after too many wrong passwords or codes',
  description:
    "Resets the counts of wrong passwords and codes for the user's account, from all devices, and the count of codes that were " +
    'sent to it. A new password (change-password) and unsuspend do the same. Passwords, second factors and sessions stay as they are.',
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
  summary: 'Reactivate a suspended user',
  description: 'Also resets the counts of wrong passwords and codes, as unlock does.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.id' },
  params,
  response: UserDetails,
  errors: ['not_found', 'ambiguous_id'],
  example: { ...idExample, response: sampleDetails },
})
