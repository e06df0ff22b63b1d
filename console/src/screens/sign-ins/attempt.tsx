import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { personName } from '../../values/user-name.ts'
import { AttemptState, failureText } from './attempt-columns.tsx'
import { AttemptSteps, type Step, wayName, wayNames } from './attempt-steps.tsx'

type SignInAttempt = AnswerOf<'getSignInAttempt'>
type SignUpAttempt = AnswerOf<'getSignUpAttempt'>

const stateAt = (reached: number, place: number): Step['state'] =>
  place < reached ? 'done' : place === reached ? 'current' : 'ahead'

const signInPlaces = {
  needs_identifier: 0,
  needs_factor_one: 1,
  needs_factor_two: 2,
  needs_enrolment: 2,
  complete: 4,
} as const

function signInSteps(attempt: SignInAttempt): readonly Step[] {
  const { status, identifier, strategy, supportedFirstFactors, supportedSecondFactors } = attempt
  const at = signInPlaces[status]
  const hasSecond = supportedSecondFactors.length > 0 || status === 'needs_factor_two'
  return [
    { title: 'Identifier', detail: identifier ?? undefined, state: stateAt(at, 0) },
    {
      title: 'First factor',
      detail: strategy === null || at === 1 ? wayNames(supportedFirstFactors) : wayName(strategy),
      state: stateAt(at, 1),
    },
    ...(hasSecond
      ? [
          {
            title: status === 'needs_enrolment' ? 'Sets up a second factor' : 'Second factor',
            detail: wayNames(supportedSecondFactors),
            state: stateAt(at, 2),
          },
        ]
      : []),
    { title: 'Signed in', state: stateAt(at, 3) },
  ]
}

const signUpPlaces = { missing_requirements: 0, abandoned: 0, needs_verification: 1, complete: 3 } as const

function signUpSteps(attempt: SignUpAttempt): readonly Step[] {
  const { status, requiredFields, missingFields, requiredVerifications, missingVerifications } = attempt
  const at = signUpPlaces[status]
  return [
    {
      title: 'Required fields',
      detail: missingFields.length > 0 ? `missing: ${missingFields.join(', ')}` : requiredFields.join(', '),
      state: stateAt(at, 0),
    },
    ...(requiredVerifications.length > 0
      ? [
          {
            title: 'Verification',
            detail:
              missingVerifications.length > 0
                ? `missing: ${missingVerifications.join(', ')}`
                : requiredVerifications.join(', '),
            state: stateAt(at, 1),
          },
        ]
      : []),
    { title: 'Signed up', state: stateAt(at, 2) },
  ]
}

function AttemptFacts({ attempt }: { readonly attempt: SignInAttempt | SignUpAttempt }) {
  const path = useTenantPath()
  const { id, userId, user, redirectUri, expiresAt, createdAt, updatedAt } = attempt
  return (
    <Section title="Attempt">
      <Facts
        rows={[
          ['State', <AttemptState key="state" {...attempt} />],
          [
            'User',
            userId === null ? undefined : (
              <Link key="user" to={path(`users/${userId}`)}>
                {personName(user, userId)}
              </Link>
            ),
          ],
          ...('failure' in attempt && attempt.failure !== null
            ? ([
                ['Failed', failureText(attempt.failure)],
                ['Failed at', <Time key="failed" at={attempt.failure.at} />],
                ['From', attempt.failure.ip],
                ['Browser', attempt.failure.ua],
              ] as const)
            : []),
          ['Begun', <Time key="begun" at={createdAt} />],
          ['Last step', <Time key="last" at={updatedAt} />],
          ['Expires', <Time key="expires" at={expiresAt} />],
          ['Leads back to', redirectUri],
          ['ID', <Copyable key="id" text={id} />],
        ]}
      />
    </Section>
  )
}

const ended = 'An open attempt can then no longer be finished. A session that the attempt created continues.'

export function SignIn() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Query of={useOperation('getSignInAttempt', { params: { id } }, { everyMs: 5000 })} what="attempt">
      {(attempt) => (
        <Page title={attempt.identifier ?? 'Attempt to sign in'} about="An attempt to sign in">
          <Section title="Steps">
            <AttemptSteps steps={signInSteps(attempt)} />
          </Section>
          <AttemptFacts attempt={attempt} />
          <Section title="Remove" isDangerous about={ended}>
            <ConfirmAction
              operation="deleteSignInAttempt"
              input={{ params: { id } }}
              label="Remove attempt"
              onDone={() => void navigate({ to: path('sign-ins') })}
            >
              {ended}
            </ConfirmAction>
          </Section>
        </Page>
      )}
    </Query>
  )
}

export function SignUp() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Query of={useOperation('getSignUpAttempt', { params: { id } }, { everyMs: 5000 })} what="attempt">
      {(attempt) => (
        <Page title={attempt.identifier ?? 'Attempt to sign up'} about="An attempt to sign up">
          <Section title="Steps">
            <AttemptSteps steps={signUpSteps(attempt)} />
          </Section>
          <AttemptFacts attempt={attempt} />
          <Section title="Remove" isDangerous about={ended}>
            <ConfirmAction
              operation="deleteSignUpAttempt"
              input={{ params: { id } }}
              label="Remove attempt"
              onDone={() => void navigate({ to: path('sign-ups') })}
            >
              {ended}
            </ConfirmAction>
          </Section>
        </Page>
      )}
    </Query>
  )
}
