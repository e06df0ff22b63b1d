import type { Option } from '../../form/controls.tsx'
import type { FieldSpec } from '../../form/field-spec.ts'
import type { Values } from '../../form/form-state.ts'

export const pointNames = {
  'sign_up.before': 'Before a sign-up',
  'user.before_create': 'Before a user is created',
  'password.migrate': 'First sign-in of a user of your former system',
  'sign_in.before_session': 'Before a session begins',
  'token.before_issue': 'Before a token is issued',
  'invitation.before_create': 'Before an invitation to an organization',
  'message.before_send': 'Before a message is sent',
} as const

const failureOptions = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
]

/** Whether answers at the point may give a role to a new user. */
const givesRole = ({ point }: Values) =>
  ['sign_up.before', 'user.before_create', 'password.migrate'].includes(String(point))

/** @param roles those of the tenant, to choose from. */
export const hookFields = (roles: readonly Option[]): readonly FieldSpec[] => [
  {
    name: 'url',
    label: 'Address',
    placeholder: 'https://example.com/hooks',
    hint: 'Your server, which answers each call.',
  },
  { name: 'timeoutMs', label: 'Time limit', hint: 'At most 3 seconds. Default: 2 seconds.', isMilliseconds: true },
  {
    name: 'onFailure',
    label: 'Without a valid answer',
    options: failureOptions,
    emptyLabel: 'Deny (default)',
    hint: 'What happens if your server does not answer in time.',
  },
  {
    name: 'roleIds',
    label: 'Roles that answers may give',
    options: roles,
    hint: 'An answer with any other role is not valid.',
    isShown: (values) => roles.length > 0 && givesRole(values),
  },
]

/** The tenant says in its own words that passwords may be sent to its server. */
export const passwordsField: FieldSpec = {
  name: 'receivesPasswords',
  label: 'Send passwords to this server',
  hint: 'Calls contain the password in the clear, so the address must be https. Otherwise each answer must contain the hash of the password.',
  isShown: ({ point }) => point === 'password.migrate',
}

export const pointField: FieldSpec = {
  name: 'point',
  label: 'When it is called',
  options: Object.entries(pointNames).map(([value, label]) => ({ value, label })),
}
