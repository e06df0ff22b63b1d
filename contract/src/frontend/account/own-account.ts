import { sample } from '../../examples.ts'
import { object, optional, text } from '../../schema.ts'
import { sampleOwnData, sampleProfile } from '../examples.ts'
import { frontendEndpoint, upgradeErrorCodes } from '../frontend-endpoint.ts'
import { Profile, rotated } from '../shapes.ts'
import { OwnDataExport } from './own-data.ts'

const tag = 'Own account'

export const updateOwnPassword = frontendEndpoint({
  id: 'updateOwnPassword',
  method: 'PUT',
  path: '/user/password',
  tag,
  summary: "Change the password; the user's other sessions end, and this session gets a new token",
  description:
    'A user who has a password must send it as oldPassword. A user without a password can set the first one in a session that began at most ten minutes ago.',
  session: 'required',
  body: object({
    oldPassword: optional(text({ minLength: 1, maxLength: 1024 })),
    password: text({ format: 'password' }),
  }),
  data: object({ user: Profile, ...rotated }),
  errors: [
    ...upgradeErrorCodes,
    'factor_refused',
    'reauthentication_required',
    'strategy_unavailable',
    'too_many_attempts',
  ],
  example: {
    body: { oldPassword: 'correct horse battery', password: 'staple of another colour' },
    response: { user: sampleProfile },
  },
})

export const deleteOwnPassword = frontendEndpoint({
  id: 'deleteOwnPassword',
  method: 'DELETE',
  path: '/user/password',
  tag,
  summary: "Remove the password; the user's other sessions end, and this session gets a new token",
  description:
    'Needs a session that began with a sign-in at most ten minutes ago. Refused with `last_way_in` if the tenant requires a password or ' +
    'the user could no longer sign in, and with `not_found` if there is no password.',
  session: 'required',
  data: object({ user: Profile, ...rotated }),
  errors: ['last_way_in', 'reauthentication_required'],
  example: { response: { user: { ...sampleProfile, hasPassword: false } } },
})

export const exportOwnData = frontendEndpoint({
  id: 'exportOwnData',
  method: 'POST',
  path: '/user/data-export',
  tag,
  summary: 'Export all data about the user, as one JSON document',
  description:
    'Needs a session that began with a sign-in at most ten minutes ago. Data that only the tenant can see are left out: private metadata, and who ' +
    'else changed the account from which address.',
  session: 'required',
  data: OwnDataExport,
  errors: ['reauthentication_required'],
  example: { response: sampleOwnData },
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
    "The only user who can manage the members of an organization must first give another member that permission. The tenant's own operation " +
    'to erase a user has no such condition.',
  errors: ['last_admin', 'last_manager', 'reauthentication_required'],
  example: { response: { deleted: sample.user.id } },
})
