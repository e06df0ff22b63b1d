// What a change of the rules would do, counted by the service before it is saved.
import type { AuthPreview, UpdateTenantAuth } from '@bailiwick/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading, Problem } from '../../parts/states.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { UserLink } from '../../values/record-names.tsx'
import { Differences } from '../history/differences.tsx'
import { nameOfSetting, readReason } from './setting-names.ts'
import type { Draft } from './use-draft.ts'

const settledMs = 400

/** The preview of a draft, asked for once nobody has changed it for a moment; undefined while there is none. */
export function useImpact(draft: Draft) {
  const { id } = useTenant()
  const text = JSON.stringify(draft)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs)
    return () => clearTimeout(timer)
  }, [text])
  const query = useQuery({
    queryKey: ['previewAuthTenant', id, settled],
    queryFn: ({ signal }) =>
      call('previewAuthTenant', { params: { id }, body: JSON.parse(settled) as UpdateTenantAuth, signal }),
    enabled: settled !== '{}',
    placeholderData: keepPreviousData,
  })
  const isCurrent = settled === text && !query.isPlaceholderData
  return { impact: text === '{}' ? undefined : query.data, error: query.error, isCurrent }
}

interface ImpactProps {
  readonly impact: AuthPreview | undefined
  readonly error: Error | null
  readonly isCurrent: boolean
}

export function Impact({ impact, error, isCurrent }: ImpactProps) {
  if (error !== null) return <Problem error={error} />
  if (impact === undefined) return <Loading lines={2} />
  return (
    <div className="impact" aria-busy={!isCurrent} aria-live="polite">
      <LockedOut impact={impact} />
      <Differences of={impact.differences} nameOf={nameOfSetting} />
    </div>
  )
}

/** The service examines at most that many users, the newest first. */
const checkedMax = 100_000

const checkedUsers = (count: number) =>
  count === checkedMax
    ? `the newest ${count.toLocaleString(locale)} users`
    : count === 1
      ? '1 user'
      : `${count.toLocaleString(locale)} users`

type Counts = Pick<AuthPreview, 'usersChecked' | 'usersToEnrol' | 'sessionsWithoutFactor' | 'hooksThatDenyOnFailure'>

const NobodyLockedOut = ({ usersChecked, usersToEnrol, sessionsWithoutFactor, hooksThatDenyOnFailure }: Counts) => (
  <div className="impact-result good">
    <Icon name="check" />
    <div>
      <p className="impact-title">None of {checkedUsers(usersChecked)} would be locked out</p>
      {usersToEnrol === 0 ? null : (
        <p>
          Users who have no second factor yet, and set one up when they sign in: {usersToEnrol.toLocaleString(locale)}.
        </p>
      )}
      {sessionsWithoutFactor === 0 ? null : (
        <p>
          {sessionsWithoutFactor.toLocaleString(locale)}{' '}
          {sessionsWithoutFactor === 1 ? 'session continues' : 'sessions continue'} without one until{' '}
          {sessionsWithoutFactor === 1 ? 'it ends' : 'they end'}.
        </p>
      )}
      {hooksThatDenyOnFailure === 0 ? null : (
        <p>Users cannot sign in while the server of a hook does not answer, because the hook denies on failure.</p>
      )}
    </div>
  </div>
)

function LockedOut({
  impact: { issues, usersChecked, usersLockedOut, usersToEnrol, sessionsWithoutFactor, hooksThatDenyOnFailure, sample },
}: {
  readonly impact: AuthPreview
}) {
  if (issues.length > 0) {
    return (
      <div className="impact-result bad">
        <Icon name="alert" />
        <div>
          <p className="impact-title">This cannot be saved</p>
          <ul>
            {issues.map(({ path: at, message }) => (
              <li key={at + message}>
                {nameOfSetting(at.slice(1))}: {readReason(message)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    )
  }
  if (usersLockedOut === 0)
    return <NobodyLockedOut {...{ usersChecked, usersToEnrol, sessionsWithoutFactor, hooksThatDenyOnFailure }} />
  return (
    <div className="impact-result warning">
      <Icon name="alert" />
      <div>
        <p className="impact-title">
          {usersLockedOut.toLocaleString(locale)} of {checkedUsers(usersChecked)} would be locked out
        </p>
        <details>
          <summary>Who, and why</summary>
          <ul>
            {sample.map(({ userId, reasons }) => (
              <li key={userId}>
                <UserLink id={userId} />: {reasons.join('; ')}
              </li>
            ))}
          </ul>
        </details>
      </div>
    </div>
  )
}
