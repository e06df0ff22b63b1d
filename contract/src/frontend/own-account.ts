import { sample } from '../examples.ts'
import { object, optional, text } from '../schema.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { sampleProfile } from './examples.ts'
import { Profile, rotated } from './shapes.ts'

const tag = 'Own account'

export const updateOwnPassword = frontendEndpoint({
  id: 'updateOwnPassword',
  method: 'PUT',
  path: '/user/password',
  tag,
  summary: 'Choose another password; the other sessions of the user end, and this one goes on under another token',
  description:
    'A user who has a password sends it as oldPassword. One who has none sets the first in a session that began at most ten minutes ago.',
  session: 'required',
  body: object({
    oldPassword: optional(text({ minLength: 1, maxLength: 1024 })),
    password: text({ format: 'password' }),
  }),
  data: object({ user: Profile, ...rotated }),
  errors: ['factor_refused', 'reauthentication_required', 'strategy_unavailable', 'too_many_attempts'],
  example: {
    body: { oldPassword: 'correct horse battery', password: 'staple of another colour' },
    response: { user: sampleProfile },
  },
})

export const deleteOwnUser = frontendEndpoint({
  id: 'deleteOwnUser',
  method: 'DELETE',
  path: '/user',
  tag,
  summary: 'Delete the account with everything that belongs to it',
  session: 'required',
  data: object({ deleted: text() }),
  description:
    'Whoever alone may manage the members of an organization in which others are lets somebody follow first. What the tenant deletes by ' +
    'its own call goes in any case.',
  errors: ['last_admin', 'last_manager', 'reauthentication_required'],
  example: { response: { deleted: sample.user.id } },
})
