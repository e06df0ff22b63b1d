// One user: who they are, how to reach them, how they sign in and what has happened.
import type { User as UserRecord } from '@bailiwick/contract'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { StatusBadge } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { userName } from '../../values/user-name.ts'
import { UserGrants } from '../grants/grant-table.tsx'
import { Contacts } from './contacts.tsx'
import { DataExport } from './data-export.tsx'
import { Factors } from './factors.tsx'
import { Impersonation } from './impersonation.tsx'
import { useRoleOptions } from './role-options.ts'
import { Timeline } from './timeline.tsx'
import { UserSessions } from './user-sessions.tsx'

/** Loaded separately, because it includes the names of all settings. */
const SignInExplanation = lazy(async () => ({
  default: (await import('./sign-in-explanation.tsx')).SignInExplanation,
}))

export function User() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getUser', { params: { id } })} what="user">
      {({ data }) => <UserPage key={data.id} user={data} />}
    </Query>
  )
}

function UserPage({ user }: { readonly user: UserRecord }) {
  const { id, status } = user
  const params = { id }
  const actions =
    status === 'suspended' ? (
      <DirectAction
        operation="unsuspendUser"
        input={{ params }}
        label="Reactivate"
        done="The user can sign in again."
      />
    ) : (
      <ConfirmAction operation="suspendUser" input={{ params }} label="Suspend">
        {userName(user)} is signed out everywhere and cannot sign in until you reactivate the account.
      </ConfirmAction>
    )
  return (
    <Page title={userName(user)} actions={actions}>
      <Section title="About">
        <Facts
          rows={[
            ['ID', <Copyable key="id" text={id} />],
            ['Status', <StatusBadge key="status" status={status} />],
            ['Role', user.role?.name],
            ['Last sign-in', <Time key="sign-in" at={user.lastSignInAt} />],
            ['Last active', <Time key="active" at={user.lastActiveAt} />],
            ['Created', <Time key="created" at={user.createdAt} />],
          ]}
        />
      </Section>
      <Suspense fallback={<Loading />}>
        <SignInExplanation user={user} />
      </Suspense>
      <Profile user={user} />
      <Contacts user={user} />
      <Factors user={user} />
      <UserSessions userId={id} />
      <UserGrants userId={id} />
      <Timeline userId={id} />
      <Danger user={user} />
    </Page>
  )
}

function Profile({ user }: { readonly user: UserRecord }) {
  const roles = useRoleOptions()
  return (
    <Section title="Profile">
      <OperationForm
        operation="updateUser"
        params={{ id: user.id }}
        record={user}
        fields={[
          'name',
          'username',
          { name: 'firstName', label: 'First name' },
          { name: 'lastName', label: 'Last name' },
          { name: 'timezone', label: 'Time zone', hint: 'For dates on pages, such as Europe/Vienna.' },
          {
            name: 'locale',
            label: 'Language',
            hint: 'Of messages and pages, such as de-AT. Empty: that of the browser.',
          },
          ...(roles === undefined ? [] : [{ name: 'roleId', label: 'Role', options: roles }]),
          { name: 'publicMeta', label: 'Public data', hint: 'JSON that the user can see too.' },
          { name: 'privateMeta', label: 'Private data', hint: 'JSON that only your servers and the console see.' },
        ]}
        submit="Save"
        done="The user is saved."
      />
    </Section>
  )
}

function Danger({ user }: { readonly user: UserRecord }) {
  const navigate = useNavigate()
  const path = useTenantPath()
  const name = userName(user)
  return (
    <Section title="Support and danger" isDangerous>
      <Impersonation userId={user.id} />
      <DataExport userId={user.id} />
      <div className="actions">
        <ConfirmAction
          operation="deleteUser"
          input={{ params: { id: user.id } }}
          label="Delete user"
          name={name}
          onDone={() => void navigate({ to: path('users') })}
        >
          {name} is erased with all addresses, numbers, sessions and memberships. What the event log says about the user
          cannot be read from then on. This cannot be undone.
        </ConfirmAction>
      </div>
    </Section>
  )
}
