import type { SignInExplanation } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { sentence } from '../../form/field-spec.ts'
import { useSearchState } from '../../lists/search-state.ts'
import { Icon } from '../../parts/icon.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge, StatusBadge } from '../../values/badge.tsx'
import { durationText } from '../../values/duration-text.ts'
import { Time } from '../../values/time.tsx'
import { readReason } from '../rules/setting-names.ts'
import { Locks, verdict } from './locks.tsx'
import { OverTime } from './over-time.tsx'
import { FactorRules, Steps, strategyName } from './steps.tsx'

/** Returns the time of a browser's field in the service's format. */
const instantOf = (local: string) => (local === '' ? undefined : new Date(local).toISOString())

export function Explain() {
  const [{ identifier = '', at = '' }, setAsked] = useSearchState()
  return (
    <Page title="Explain a sign-in" about="Why a user can or cannot sign in, now or under the rules of a past time.">
      <Section title="User and time">
        <Question identifier={identifier} at={at} onAsk={setAsked} />
      </Section>
      {identifier === '' ? null : <Explanation identifier={identifier} at={instantOf(at)} />}
    </Page>
  )
}

interface Asked {
  readonly identifier: string
  readonly at: string
}

function Question({
  identifier,
  at,
  onAsk,
}: Asked & { readonly onAsk: (asked: Readonly<Record<keyof Asked, string>>) => void }) {
  const [typed, setTyped] = useState<Asked>({ identifier, at })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onAsk({ identifier: typed.identifier.trim(), at: typed.at })
  }
  return (
    <form className="form" onSubmit={ask}>
      <label className="field">
        <span className="label">E-mail address, phone number or username</span>
        <input
          name="identifier"
          required
          maxLength={320}
          autoComplete="off"
          value={typed.identifier}
          onChange={({ target }) => setTyped({ ...typed, identifier: target.value })}
        />
      </label>
      <label className="field">
        <span className="label">
          Under the rules of <span className="quiet">(default: now)</span>
        </span>
        <input
          type="datetime-local"
          name="at"
          value={typed.at}
          onChange={({ target }) => setTyped({ ...typed, at: target.value })}
        />
      </label>
      <div className="actions">
        <button type="submit" className="button primary">
          Explain
        </button>
      </div>
    </form>
  )
}

function Explanation({ identifier, at }: { readonly identifier: string; readonly at: string | undefined }) {
  const { id } = useTenant()
  const body = { identifier, withHooks: true, ...(at === undefined ? {} : { at }) }
  const mayReadVersions = useMay('config:read').isAllowed
  const asked = useOperation('explainSignIn', { params: { id }, body })
  return (
    <>
      <Query of={asked}>{(explanation) => <Answer identifier={identifier} explanation={explanation} />}</Query>
      {mayReadVersions ? <OverTime identifier={identifier} /> : null}
      <CodePanel state={{ operationId: 'explainSignIn', params: { id }, query: {}, body }} />
    </>
  )
}

function Answer({ identifier, explanation }: { readonly identifier: string; readonly explanation: SignInExplanation }) {
  const { reasons, user, firstFactors, configurationVersion, at } = explanation
  const path = useTenantPath()
  return (
    <>
      <Section title={`${identifier} ${verdict(explanation)}`}>
        {reasons.length === 0 ? null : (
          <ul className="reasons">
            {reasons.map((reason) => (
              <li key={reason}>
                <Icon name="alert" /> {sentence(readReason(reason))}
              </li>
            ))}
          </ul>
        )}
        <Facts
          rows={[
            ...(user === null
              ? ([['User', 'No user has this identifier']] as const)
              : ([
                  [
                    'User',
                    <Link key="user" to={path(`users/${user.id}`)}>
                      {identifier}
                    </Link>,
                  ],
                  ['Status', <StatusBadge key="status" status={user.status} />],
                  ['Password', user.hasPassword ? 'set' : 'none'],
                ] as const)),
            ['Rules', `version ${configurationVersion}`],
            ['As of', <Time key="at" at={at} />],
          ]}
        />
      </Section>
      {explanation.hooks.length === 0 ? null : (
        <Section title="Hooks" about="What your servers say about this user before a session begins.">
          <ul className="reasons">
            {explanation.hooks.map(({ id, result, error }) => (
              <li key={id}>
                <Link to={path(`hooks/${id}`)}>{result ?? 'not asked'}</Link> {error}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Locks explanation={explanation} />
      <Section title="First factor" about="What the sign-in page offers, and which of it this user has.">
        <Steps of={firstFactors} />
      </Section>
      <SecondFactor of={explanation} />
      <Organizations rules={explanation.organizationRules} />
    </>
  )
}

function SecondFactor({ of: { secondFactors, secondFactorRules } }: { readonly of: SignInExplanation }) {
  if (secondFactors.length + secondFactorRules.length === 0) return null
  const about = secondFactors.length === 0 ? {} : { about: 'One of these is required after the first factor.' }
  return (
    <Section title="Then, second factor" {...about}>
      <Steps of={secondFactors} />
      <FactorRules of={secondFactorRules} />
    </Section>
  )
}

function Organizations({ rules }: { readonly rules: SignInExplanation['organizationRules'] }) {
  const path = useTenantPath()
  if (rules.length === 0) return null
  return (
    <Section title="Organizations" about="Which sessions can act for an organization of this user.">
      <ul className="reasons">
        {rules.map(({ organizationId, name, allowedStrategies, usable, sessionMaximumLifetime: seconds }) => (
          <li key={organizationId}>
            <Link to={path(`organizations/${organizationId}`)}>{name}</Link>{' '}
            {allowedStrategies.length === 0 ? null : `only after ${allowedStrategies.map(strategyName).join(' or ')}`}{' '}
            {seconds === null ? null : `for ${durationText(seconds)} after a sign-in`}{' '}
            {usable ? null : <Badge tone="bad">the user cannot sign in so</Badge>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
