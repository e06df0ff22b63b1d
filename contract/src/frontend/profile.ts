import { object } from '../schema.ts'
import { frontendEndpoint } from './frontend-endpoint.ts'
import { sampleProfile } from './examples.ts'
import { Profile, UpdateProfile } from './shapes.ts'

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
  summary: 'The signed-in user',
  description:
    "The user's addresses, role, second factors and public metadata. What only the tenant may see is left out.",
  errors: [],
  example: { response },
})

export const updateProfile = frontendEndpoint({
  ...common,
  id: 'updateProfile',
  method: 'PATCH',
  alsoAs: ['PUT'],
  summary: 'Change name, username or picture',
  description:
    'What is left out stays as it is; null removes a value. A name or username that the tenant requires stays. PUT does the same.',
  body: UpdateProfile,
  errors: ['last_contact', 'username_taken'],
  example: { body: { name: 'Ada' }, response },
})
