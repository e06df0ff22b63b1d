// Why a person can, or cannot, sign in: the service's own answer, in place.
import type { SignInExplanation as Explanation, User } from '@bailiwick/contract'
import { useId, useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { identifiersOf } from '../../values/user-name.ts'
import { lockedBy, verdict } from '../explain/locks.tsx'
import { FactorRules, Steps } from '../explain/steps.tsx'
import { readReason } from '../rules/setting-names.ts'

function Factors({ title, steps }: { readonly title: string; readonly steps: Explanation['firstFactors'] }) {
  if (steps.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <Steps of={steps} />
    </div>
  )
}

function Answer({ explanation }: { readonly explanation: Explanation }) {
  const { canSignIn, reasons, firstFactors, secondFactors } = explanation
  const isLocked = lockedBy(explanation) !== undefined
  return (
    <div className="explanation" aria-live="polite">
      <p>
        <Badge tone={!canSignIn ? 'bad' : isLocked ? 'warning' : 'good'}>{verdict(explanation)}</Badge>{' '}
        {reasons.map(readReason).join('; ')}
      </p>
      <Factors title="First factor" steps={firstFactors} />
      <Factors title="Then, second factor" steps={secondFactors} />
      <FactorRules of={explanation.secondFactorRules} />
    </div>
  )
}

export function SignInExplanation({ user }: { readonly user: User }) {
  const identifiers = identifiersOf(user)
  return (
    <Section title="Can this user sign in?" about="Uses the same rules as sign-in itself.">
      {identifiers.length === 0 ? (
        <p>
          <Badge tone="bad">cannot sign in</Badge> The user has no e-mail address, phone number or username to sign in
          with.
        </p>
      ) : (
        <Explained identifiers={identifiers} />
      )}
    </Section>
  )
}

function Explained({ identifiers }: { readonly identifiers: readonly string[] }) {
  const { id } = useTenant()
  const fieldId = useId()
  const [chosen = '', choose] = useState(identifiers[0])
  const identifier = identifiers.includes(chosen) ? chosen : (identifiers[0] ?? '')
  const found = useOperation('explainSignIn', { params: { id }, body: { identifier } }, { keepsLast: true })
  return (
    <>
      {identifiers.length === 1 ? null : (
        <div className="filter wide">
          <label htmlFor={fieldId}>Signing in as</label>
          <select id={fieldId} value={identifier} onChange={(event) => choose(event.target.value)}>
            {identifiers.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
      )}
      <Query of={found}>{(explanation) => <Answer explanation={explanation} />}</Query>
    </>
  )
}
