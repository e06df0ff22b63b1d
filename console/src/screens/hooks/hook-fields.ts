import type { FieldSpec } from '../../form/field-spec.ts'

export const pointNames = {
  'sign_up.before': 'Before a sign-up',
  'sign_in.before_session': 'Before a session begins',
} as const

const failureOptions = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
]

export const hookFields: readonly FieldSpec[] = [
  {
    name: 'url',
    label: 'Address',
    placeholder: 'https://example.com/hooks',
    hint: 'Your server, which answers each call.',
  },
  { name: 'timeoutMs', label: 'Time limit in milliseconds', hint: 'At most 3000. Default: 2000.' },
  {
    name: 'onFailure',
    label: 'Without a valid answer',
    options: failureOptions,
    hint: 'What happens if your server does not answer in time. Default: deny.',
  },
]

export const pointField: FieldSpec = {
  name: 'point',
  label: 'When it is called',
  options: Object.entries(pointNames).map(([value, label]) => ({ value, label })),
}
