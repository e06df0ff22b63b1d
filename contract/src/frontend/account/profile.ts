import { object } from '../../schema.ts'
import { sampleProfile } from '../examples.ts'
import { frontendEndpoint } from '../frontend-endpoint.ts'
import { Profile, UpdateProfile } from '../shapes.ts'

const common = {
  path: '/user/profile',
  tag: 'Own profile',
  session: 'required',
  data: object({ user: Profile }),
} as const
const response = { user: sampleProfile }

export const getProfile = frontendEndpoint({
  ...common,
  id: 'getProfile',
  method: 'GET',
  summary: 'Read the signed-in user',
  description:
    "Includes the user's addresses, role, second factors and public metadata. Data that only the tenant can see are left out.",
  errors: [],
  example: { response },
})

export const updateProfile = frontendEndpoint({
  ...common,
  id: 'updateProfile',
  method: 'PATCH',
  alsoAs: ['PUT'],
  summary: 'Change the name, username or picture',
  description:
    'Properties that the body leaves out stay as they are; null removes a value. A name or username that the tenant requires cannot be removed. PUT does the same.',
  body: UpdateProfile,
  errors: ['last_contact', 'managed_by_directory', 'username_taken'],
  example: { body: { name: 'Ada' }, response },
})
