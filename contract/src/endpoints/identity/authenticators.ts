import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId } from '../../schema.ts'
import { Authenticator } from '../../shapes/identity/sign-in-means.ts'

const tag = 'Users'
const example = {
  id: 'cmi7x9q3p5v8z3t6d0h2j9m4q',
  type: 'passkey',
  name: 'Laptop',
  provider: 'iCloud Keychain',
  backupEligible: true,
  backedUp: true,
  secondFactor: true,
  createdAt: sample.session.createdAt,
  lastUsedAt: null,
} as const

export const listUserAuthenticators = endpoint({
  id: 'listUserAuthenticators',
  method: 'GET',
  path: '/auth/users/{id}/authenticators',
  tag,
  summary: "List a user's passkeys, authenticator app, recovery codes and trusted devices",
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.id' },
  params: object({ id: plainId() }),
  response: array(Authenticator),
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { id: sample.userId }, response: [example] },
})

export const deleteUserAuthenticator = endpoint({
  id: 'deleteUserAuthenticator',
  method: 'DELETE',
  path: '/auth/users/{userId}/authenticators/{id}',
  tag,
  summary: 'Remove an authenticator that a user has lost, so that sign-in no longer asks for it',
  description:
    'Ends the sessions of the user and informs the user by e-mail, except for a trusted device, on which the user is asked again from then on. With the last passkey or authenticator app the recovery codes are removed too. Make sure that you know who ' +
    'is asking for this: afterwards a password or a code by e-mail is enough to sign in.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId(), id: plainId() }),
  response: Authenticator,
  errors: ['not_found', 'ambiguous_id'],
  example: { params: { userId: sample.userId, id: example.id }, response: example },
})
