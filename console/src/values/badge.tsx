import type { User, UserDetails } from '@bailiwick/contract'
import type { ReactNode } from 'react'
import { translate } from '../texts/translate.ts'

/** A state in one word. The colour says nothing that the word does not. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'warning' | 'bad'
  readonly children: ReactNode
}) {
  return <span className={`badge ${tone}`}>{typeof children === 'string' ? translate(children) : children}</span>
}

const tones = { active: 'good', inactive: 'warning', suspended: 'bad' } as const

export function StatusBadge({ status }: { readonly status: User['status'] }) {
  return status === null || status === undefined ? null : <Badge tone={tones[status]}>{translate(status)}</Badge>
}

/** The state of a user, and whether the user has signed up. */
export const UserMarks = ({
  user,
}: {
  readonly user: Pick<User, 'status'> & Partial<Pick<UserDetails, 'isAnonymous'>>
}) => (
  <span className="marks">
    <StatusBadge status={user.status} />
    {user.isAnonymous === true ? <Badge>anonymous</Badge> : null}
  </span>
)

/** The environment of a tenant, by word and by colour: production stands out. */
export function EnvironmentBadge({ of }: { readonly of: string }) {
  return (
    <span className="badge environment" data-environment={of}>
      {translate(of)}
    </span>
  )
}
