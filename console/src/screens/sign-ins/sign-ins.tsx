import { schemas } from 'virtual:operation-schemas'
import { ActionLink } from '../../actions/action-button.tsx'
import type { RowOf } from '../../api/operations.ts'
import { choicesOf, schemaAt } from '../../form/schema.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { personName } from '../../values/user-name.ts'
import { wayName } from './attempt-steps.tsx'

type Status = RowOf<'listSignInAttempts'>['status'] | RowOf<'listSignUpAttempts'>['status']

const words: Readonly<Record<Status, string>> = {
  needs_identifier: 'started',
  needs_factor_one: 'not finished',
  needs_factor_two: 'second factor missing',
  needs_enrolment: 'second factor not set up',
  complete: 'complete',
  missing_requirements: 'details missing',
  needs_verification: 'not verified',
  abandoned: 'abandoned',
}

export function AttemptState({ status, expiresAt }: { readonly status: Status; readonly expiresAt: string }) {
  if (status === 'complete') return <Badge tone="good">complete</Badge>
  if (status === 'abandoned') return <Badge>abandoned</Badge>
  if (Date.parse(expiresAt) < Date.now()) return <Badge>{`expired, ${words[status]}`}</Badge>
  return <Badge tone="warning">{words[status]}</Badge>
}

const optionsOf = (id: 'listSignInAttempts' | 'listSignUpAttempts') =>
  choicesOf(schemaAt(schemas[id].query, 'status')).map(({ value }) => ({ value, label: words[value as Status] }))

const filtersOf = (id: 'listSignInAttempts' | 'listSignUpAttempts') =>
  [
    { name: 'status', label: 'Status', options: optionsOf(id) },
    { name: 'userId', label: 'User ID' },
    { name: 'createdAfter', label: 'After', type: 'date' },
    { name: 'createdBefore', label: 'Before', type: 'date' },
  ] as const

const whoOf = ({ identifier, user }: RowOf<'listSignInAttempts'> | RowOf<'listSignUpAttempts'>) =>
  identifier ?? personName(user, 'not said yet')

export function SignIns() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const ups = (
    <ActionLink right={useMayCall('listSignUpAttempts')} to={path('sign-ups')}>
      Sign-ups
    </ActionLink>
  )
  return (
    <Page title="Sign-ins" about="Every attempt to sign in: by which user, how, and with what result." actions={ups}>
      <RecordList
        operation="listSignInAttempts"
        input={{ query: { tenantId } }}
        label="Attempts to sign in"
        keyOf={({ id }) => id}
        to={({ id }) => path(`sign-ins/${id}`)}
        filters={filtersOf('listSignInAttempts')}
        columns={[
          { title: 'Who', cell: whoOf },
          { title: 'By', cell: ({ strategy }) => (strategy === null ? '' : wayName(strategy)) },
          { title: 'State', cell: (attempt) => <AttemptState {...attempt} /> },
          { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty title="No sign-ins yet">Each attempt appears here, with its steps.</Empty>}
      />
    </Page>
  )
}

export function SignUps() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  return (
    <Page title="Sign-ups" about="Who has tried to sign up, and what is missing.">
      <RecordList
        operation="listSignUpAttempts"
        input={{ query: { tenantId } }}
        label="Attempts to sign up"
        keyOf={({ id }) => id}
        to={({ id }) => path(`sign-ups/${id}`)}
        filters={filtersOf('listSignUpAttempts')}
        columns={[
          { title: 'Who', cell: whoOf },
          {
            title: 'Missing',
            cell: ({ missingFields, missingVerifications }) => [...missingFields, ...missingVerifications].join(', '),
          },
          { title: 'State', cell: (attempt) => <AttemptState {...attempt} /> },
          { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty title="No sign-ups yet">Each attempt appears here, with what it lacks.</Empty>}
      />
    </Page>
  )
}
