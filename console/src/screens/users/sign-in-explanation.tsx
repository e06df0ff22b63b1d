// Why a person can, or cannot, sign in: the service's own answer, in place.
import type { SignInExplanation as Explanation, User } from '@bailiwick/contract'
import { useId, useState } from 'react'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { identifiersOf } from '../../values/user-name.ts'
import { Steps } from '../explain/steps.tsx'
import { withNamesOfSettings } from '../rules/setting-names.ts'

const lockReasons: Readonly<Record<Explanation['locks'][number]['what'], string>> = {
  password: 'Too many wrong passwords.',
  second_factor: 'Too many wrong second factors.',
  sent_codes: 'Too many codes were sent.',
}

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
  const { canSignIn, reasons, locks, firstFactors, secondFactors } = explanation
  return (
    <div className="explanation" aria-live="polite">
      <p>
        <Badge tone={canSignIn ? 'good' : 'bad'}>{canSignIn ? 'can sign in' : 'cannot sign in'}</Badge>{' '}
        {withNamesOfSettings(reasons.join('; '))}
      </p>
      {locks.map(({ what, until }) => (
        <p key={what}>
          <Badge tone="warning">locked</Badge> {lockReasons[what]}
          {until === null ? null : (
            <>
              {' '}
              Locked until <Time at={until} />.
            </>
          )}
        </p>
      ))}
      {explanation.user === null || locks.every(({ what }) => what === 'sent_codes') ? null : (
        <DirectAction
          operation="unlockUser"
          input={{ params: { id: explanation.user.id } }}
          label="Unlock"
          done="The user can try again."
        />
      )}
      <Factors title="First factor" steps={firstFactors} />
      <Factors title="Then, second factor" steps={secondFactors} />
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
