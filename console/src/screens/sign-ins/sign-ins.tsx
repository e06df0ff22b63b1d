import { schemas } from 'virtual:operation-schemas'
import { ActionLink } from '../../actions/action-button.tsx'
import { choicesOf, schemaAt } from '../../form/schema.ts'
import { type Filter, RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { AttemptState, type Status, attemptColumns, failureWords, statusWords, readWho } from './attempt-columns.tsx'

const failures = Object.entries(failureWords).map(([value, label]) => ({ value, label }))
const whoColumn = { title: 'Who', cell: readWho }

const optionsOf = (id: 'listSignInAttempts' | 'listSignUpAttempts') =>
  choicesOf(schemaAt(schemas[id].query, 'status')).map(({ value }) => ({ value, label: statusWords[value as Status] }))

const filtersOf = (id: 'listSignInAttempts' | 'listSignUpAttempts'): readonly Filter[] => [
  { name: 'status', label: 'Status', options: optionsOf(id) },
  ...(id === 'listSignInAttempts' ? [{ name: 'failure', label: 'Failed', options: failures }] : []),
  { name: 'userId', label: 'User ID' },
  { name: 'createdAfter', label: 'After', type: 'date' },
  { name: 'createdBefore', label: 'Before', type: 'date' },
]

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
        columns={[whoColumn, ...attemptColumns]}
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
          { title: 'Who', cell: readWho },
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
