// One user: who they are, how to reach them, how they sign in and what has happened.
import type { UserDetails as UserRecord } from '@bailiwick/contract'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Tabs } from '../../lists/tabs.tsx'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { Badge, UserMarks } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { EmailText } from '../../values/email-text.tsx'
import { Time } from '../../values/time.tsx'
import { Until } from '../../values/until.tsx'
import { identifiersOf, primaryEmail, userName } from '../../values/user-name.ts'
import { Locks, lockedBy, useExplanation } from '../explain/locks.tsx'
import { Contacts } from './contacts.tsx'
import { Impersonation } from './impersonation.tsx'
import { roleFields, useRoleOptions } from './role-options.ts'

// Each tab is loaded when it is opened.
const SignInExplanation = lazy(async () => ({
  default: (await import('./sign-in-explanation.tsx')).SignInExplanation,
}))
const DataExport = lazy(async () => ({ default: (await import('./data-export.tsx')).DataExport }))
const Factors = lazy(async () => ({ default: (await import('./factors.tsx')).Factors }))
const UserSessions = lazy(async () => ({ default: (await import('./user-sessions.tsx')).UserSessions }))
const UserAttributes = lazy(async () => ({ default: (await import('./user-attributes.tsx')).UserAttributes }))
const UserConnections = lazy(async () => ({ default: (await import('./user-connections.tsx')).UserConnections }))
const SocialConnections = lazy(async () => ({ default: (await import('./user-connections.tsx')).SocialConnections }))
const UserOrganizations = lazy(async () => ({ default: (await import('./user-organizations.tsx')).UserOrganizations }))
const UserGrants = lazy(async () => ({ default: (await import('../grants/grant-table.tsx')).UserGrants }))
const KeysOfUser = lazy(async () => ({ default: (await import('../keys/user-api-keys.tsx')).KeysOfUser }))
const Timeline = lazy(async () => ({ default: (await import('./timeline.tsx')).Timeline }))

export function User() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getUser', { params: { id } })} what="user">
      {({ data }) => <UserPage key={data.id} user={data} />}
    </Query>
  )
}

/** Pictures from elsewhere would tell their servers who looks at the user. */
const isOwnPicture = (address: string) => URL.parse(address, location.href)?.origin === location.origin

function Portrait({ user }: { readonly user: UserRecord }) {
  const { imageUri } = user
  if (typeof imageUri === 'string' && isOwnPicture(imageUri))
    return <img className="portrait" src={imageUri} alt="" width="56" height="56" />
  const [first = '?'] = userName(user)
  return (
    <span className="portrait" aria-hidden="true">
      {first.toUpperCase()}
    </span>
  )
}

function About({ user, lock }: { readonly user: UserRecord; readonly lock: ReturnType<typeof lockedBy> }) {
  const email = primaryEmail(user)?.email
  return (
    <span className="marks">
      {email === undefined || email === userName(user) ? null : <EmailText of={email} />}
      <UserMarks user={user} />
      {lock === undefined ? null : <Badge tone="warning">locked</Badge>}
      <span>
        Last sign-in: <Time at={user.lastSignInAt} />
      </span>
    </span>
  )
}

function StatusAction({ user }: { readonly user: UserRecord }) {
  const params = { id: user.id }
  if (user.status === 'suspended') {
    return (
      <DirectAction
        operation="unsuspendUser"
        input={{ params }}
        label="Reactivate"
        done="The user can sign in again."
      />
    )
  }
  return (
    <ConfirmAction operation="suspendUser" input={{ params }} label="Suspend" done="The user is suspended.">
      {userName(user)} is signed out everywhere and cannot sign in until you reactivate the account.
    </ConfirmAction>
  )
}

function UserPage({ user }: { readonly user: UserRecord }) {
  const { id } = user
  const explanation = useExplanation(identifiersOf(user)[0])
  const tabs = [
    {
      key: 'profile',
      title: 'Profile',
      content: (
        <>
          <Profile user={user} />
          <UserAttributes user={user} />
          <Contacts user={user} />
          <Record user={user} />
          <Danger user={user} />
        </>
      ),
    },
    {
      key: 'security',
      title: 'Sign-in and security',
      content: (
        <>
          <SignInExplanation user={user} />
          <Factors user={user} hasPassword={explanation?.user?.hasPassword} />
          <SocialConnections userId={id} />
          <UserConnections userId={id} />
        </>
      ),
    },
    { key: 'sessions', title: 'Sessions', content: <UserSessions userId={id} /> },
    { key: 'organizations', title: 'Organizations', content: <UserOrganizations userId={id} /> },
    {
      key: 'applications',
      title: 'Applications and keys',
      content: (
        <>
          <UserGrants userId={id} />
          <KeysOfUser userId={id} />
        </>
      ),
    },
    { key: 'activity', title: 'Activity', content: <Timeline userId={id} /> },
  ]
  return (
    <Page
      title={userName(user)}
      picture={<Portrait user={user} />}
      about={<About user={user} lock={explanation && lockedBy(explanation)} />}
      actions={<StatusAction user={user} />}
    >
      {explanation === undefined ? null : <Locks explanation={explanation} />}
      <Suspense fallback={<Loading />}>
        <Tabs label="Parts of the user" tabs={tabs} />
      </Suspense>
    </Page>
  )
}

function Record({ user }: { readonly user: UserRecord }) {
  return (
    <Section title="Record">
      <Facts
        rows={[
          ['ID', <Copyable key="id" name="ID" text={user.id} />],
          [
            'Role',
            <span key="role">
              {user.role?.name} <Until what="Role" at={user.roleExpiresAt} />
            </span>,
          ],
          ['Last active', <Time key="active" at={user.lastActiveAt} />],
          ['Created', <Time key="created" at={user.createdAt} />],
        ]}
      />
    </Section>
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
          ...(roles === undefined ? [] : roleFields(roles)),
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
      <Suspense>
        <DataExport userId={user.id} />
      </Suspense>
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
