// How an attempt to sign in or up is shown in lists: who, by what, from where, and how it ended.
import type { SignInFailureReason } from '@bailiwick/contract'
import type { RowOf } from '../../api/operations.ts'
import type { Column } from '../../lists/table.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { personName } from '../../values/user-name.ts'
import { wayName } from './attempt-steps.tsx'

type SignIn = RowOf<'listSignInAttempts'>
export type Status = SignIn['status'] | RowOf<'listSignUpAttempts'>['status']

export const statusWords: Readonly<Record<Status, string>> = {
  needs_identifier: 'started',
  needs_factor_one: 'not finished',
  needs_factor_two: 'second factor missing',
  needs_enrolment: 'second factor not set up',
  complete: 'complete',
  missing_requirements: 'details missing',
  needs_verification: 'not verified',
  abandoned: 'abandoned',
}

export const failureWords: Readonly<Record<SignInFailureReason, string>> = {
  wrong_proof: 'Wrong password or code',
  unknown_user: 'No such user',
  user_not_active: 'User is suspended',
  hook_denied: 'Denied by a hook',
  locked: 'Locked: too many attempts',
  email_unverified: 'E-mail address not verified',
  phone_unverified: 'Phone number not verified',
  password_change_required: 'Password must be changed',
  connection_required: 'Must use single sign-on',
}

/** Returns why an attempt has failed, in words; "Wrong password" if it was a password. */
export function failureText({ reason, strategy, count }: NonNullable<SignIn['failure']>): string {
  const isPassword = reason === 'wrong_proof' && strategy.endsWith('_password')
  const text = isPassword ? 'Wrong password' : failureWords[reason]
  return count > 1 ? `${text} (${count} times)` : text
}

interface StateProps {
  readonly status: Status
  readonly expiresAt: string
  readonly failure?: SignIn['failure']
}

export function AttemptState({ status, expiresAt, failure = null }: StateProps) {
  if (status === 'complete') return <Badge tone="good">complete</Badge>
  if (status === 'abandoned') return <Badge>abandoned</Badge>
  if (failure !== null) {
    return (
      <span className="stack">
        <span>
          <Badge tone="bad">failed</Badge>
        </span>
        <span className="quiet">{failureText(failure)}</span>
      </span>
    )
  }
  if (Date.parse(expiresAt) < Date.now()) return <Badge>{`expired, ${statusWords[status]}`}</Badge>
  return <Badge tone="warning">{statusWords[status]}</Badge>
}

export const readWho = ({ identifier, user }: SignIn | RowOf<'listSignUpAttempts'>) =>
  identifier ?? personName(user, 'not said yet')

/** The columns that follow who it was. */
export const attemptColumns: readonly Column<SignIn>[] = [
  { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'State', cell: (attempt) => <AttemptState {...attempt} /> },
  {
    title: 'By',
    cell: ({ strategy, failure }) => {
      const used = strategy ?? failure?.strategy
      return used === undefined ? '' : wayName(used)
    },
  },
  {
    title: 'From',
    cell: ({ failure }) => (failure?.ip === undefined ? '' : <span className="whole">{failure.ip}</span>),
  },
]
