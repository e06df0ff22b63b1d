// A connection of an organization: how far its set-up is, its last test, its certificates, whom it binds, and its directory.
import type { Connection, ConnectionTest } from '@bailiwick/contract'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, Suspense, lazy } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Facts, Page, Section, usePathParam } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Loading } from '../../parts/states.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Badge } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { ConnectionActions, ConnectionState } from '../organizations/connection-actions.tsx'

// What has forms is loaded after the rest.
const Admission = lazy(async () => ({ default: (await import('./admission.tsx')).Admission }))
const AttributeMappings = lazy(async () => ({ default: (await import('./attribute-mappings.tsx')).AttributeMappings }))
const ScimTokens = lazy(async () => ({ default: (await import('./scim-tokens.tsx')).ScimTokens }))
const GroupRules = lazy(async () => ({ default: (await import('./group-rules.tsx')).GroupRules }))
const ScimLog = lazy(async () => ({ default: (await import('./scim-log.tsx')).ScimLog }))

interface ConnectionProps {
  readonly connection: Connection
}

/** What the customer's administrator still has to do. */
function Progress({ connection: { id, organizationId, state, roleRules } }: ConnectionProps) {
  const domains = useOperation('listDomainsOfOrganization', { params: { organizationId } })
  const tokens = useOperation('listScimTokens', { params: { id } })
  const links = useOperation('listSetupLinks', { params: { organizationId } })
  const isProven = domains.data?.some(({ verifiedByDns }) => verifiedByDns) ?? false
  const usedAt = tokens.data?.find(({ lastUsedAt }) => lastUsedAt !== null)?.lastUsedAt
  const opened = links.data?.find(({ openedAt }) => openedAt !== null)
  const step = (isDone: boolean, done: string, open: string) => (
    <Badge tone={isDone ? 'good' : 'plain'}>{isDone ? done : open}</Badge>
  )
  return (
    <Section title="Progress" about="What is done of the set-up, by the customer's administrator or here.">
      <Facts
        rows={[
          ['Set-up link', opened === undefined ? undefined : <>opened by {opened.email}</>],
          ['Domain verified by DNS', step(isProven, 'done', 'to do')],
          ['Sign-in tested', step(state !== 'draft', 'done', 'to do')],
          ['Switched on', step(state === 'live', 'done', 'to do')],
          [
            'Directory',
            usedAt === undefined ? (
              step(false, '', 'not connected')
            ) : (
              <span key="used">
                <Badge tone="good">done</Badge> <Time at={usedAt} />
              </span>
            ),
          ],
          ['Role rules', roleRules.length.toLocaleString(locale)],
        ]}
      />
    </Section>
  )
}

function Provider({ connection: { organizationId, oidc, saml, revocationUri } }: ConnectionProps) {
  const path = useTenantPath()
  const rows: ComponentProps<typeof Facts>['rows'] =
    saml === null
      ? [
          ['Protocol', 'OpenID Connect'],
          ['Issuer', oidc?.issuer],
          ['Client ID', oidc?.clientId],
          ['Redirect URI', <Copyable key="callback" text={oidc?.callbackUri ?? ''} />],
        ]
      : [
          ['Protocol', 'SAML 2.0'],
          ['Entity ID', saml.entityId ?? undefined],
          ['Sign-in address', saml.ssoUrl ?? undefined],
          ['Single logout', saml.singleLogout ? 'On' : saml.sloUrl === null ? 'Not offered by the provider' : 'Off'],
          ['Sign-ins from the provider', saml.idpInitiated ? 'Accepted, after a question' : 'Refused'],
          ['Metadata read from', saml.metadataUri ?? undefined],
          ['ACS URL', <Copyable key="acs" text={saml.acsUrl} />],
          ['Single logout URL', <Copyable key="slo" text={saml.ownSloUrl} />],
          ['Own entity ID and metadata', <Copyable key="own" text={saml.ownEntityId} />],
        ]
  return (
    <Section
      title="Identity provider"
      actions={
        <Link className="button" to={path(`organizations/${organizationId}/sign-on`)}>
          Change in the organization
        </Link>
      }
    >
      <Facts rows={[...rows, ['Universal Logout address', <Copyable key="revocation" text={revocationUri} />]]} />
    </Section>
  )
}

const soonMs = 30 * 24 * 60 * 60_000

function Certificates({ connection: { saml } }: ConnectionProps) {
  if (saml === null) return null
  return (
    <Section title="Certificates" about="The signatures of these certificates are accepted. The provider has the keys.">
      {saml.certificates.length === 0 ? (
        <p className="quiet">The metadata of the provider are not entered yet.</p>
      ) : (
        <Facts
          rows={saml.certificates.map(({ fingerprint, expiresAt }) => [
            `${fingerprint.slice(0, 16)}…`,
            <Badge key={fingerprint} tone={Date.parse(expiresAt) < Date.now() + soonMs ? 'warning' : 'good'}>
              ends <Time at={expiresAt} />
            </Badge>,
          ])}
        />
      )}
    </Section>
  )
}

const users = {
  known: 'has signed in before',
  linked: 'the user with this address would be connected',
  created: 'a user would be created',
} as const

type Refusal = NonNullable<NonNullable<ConnectionTest['report']>['refusal']>

const refusals: Readonly<Record<Refusal, string>> = {
  connection_off: 'The connection is off or was deleted.',
  domain_not_verified: 'The domain of the address is not verified by DNS.',
  address_not_verified: 'The provider has not verified the address.',
  address_missing: 'The provider sent no valid e-mail address.',
  identity_conflict: 'The user with this address is connected to another account at the provider.',
  address_claimed: 'A user has added this address without verifying it, and has verified another contact.',
  user_not_active: 'The user is not active.',
  not_a_member: 'The user is not a member, and the connection adds none.',
  membership_limit_reached: 'The organization has reached its maximum number of members.',
}

type ReportedValue = NonNullable<ConnectionTest['report']>['attributes'][number]

const describeValue = ({ attribute, value, problem }: ReportedValue) => `${attribute}: ${problem ?? String(value)}`

function Report({ test: { state, report, createdAt } }: { readonly test: ConnectionTest }) {
  if (report === null) return <p className="quiet">A test has begun and is not finished.</p>
  const { problem, refusal, subject, email, name, user, claims, attributes } = report
  return (
    <>
      <Facts
        rows={[
          [
            'Result',
            <Badge key="state" tone={state === 'passed' ? 'good' : 'bad'}>
              {state}
            </Badge>,
          ],
          ['When', <Time key="at" at={createdAt} />],
          ...(problem === null ? [] : [['Problem', problem] as const]),
          ['Would be refused', refusal === null ? 'No' : refusals[refusal]],
          ['ID at the provider', subject ?? undefined],
          ['E-mail address', email ?? undefined],
          ['Name', name ?? undefined],
          ['User', user === null ? undefined : users[user]],
          ...(attributes.length === 0 ? [] : [['Attributes', attributes.map(describeValue).join('; ')] as const]),
        ]}
      />
      <details>
        <summary>Claims that rules can compare</summary>
        <pre className="code" tabIndex={0}>
          {JSON.stringify(claims, null, 2)}
        </pre>
      </details>
    </>
  )
}

function LastTest({ connection: { id } }: ConnectionProps) {
  const { data } = useOperation('getConnectionTest', { params: { id } })
  return (
    <Section title="Last test" about="Kept for a day. A test creates no user and no session.">
      {data === undefined ? <p className="quiet">It was not tested in the last day.</p> : <Report test={data} />}
    </Section>
  )
}

/** Requiring the connection says first whom it would lock out. */
function Requirement({ connection: { id, name, required } }: ConnectionProps) {
  const preview = useOperation('previewConnection', { params: { id } })
  const input = { params: { id }, body: { required: !required } }
  return (
    <Section
      title="Required"
      about="While it is required, users with an address of the verified domains can sign in only with this connection."
      actions={
        <ConfirmAction
          operation="updateConnection"
          input={input}
          label={required ? 'No longer require' : 'Require'}
          isDangerous={!required}
        >
          {required
            ? 'Users can sign in by all ways of the tenant again.'
            : `${preview.data?.bound ?? 0} members can then sign in only with ${name}. ${preview.data?.neverConnected ?? 0} of them have never done so, and are locked out unless the provider knows them.`}
        </ConfirmAction>
      }
    >
      <Query of={preview}>
        {({ members, bound, neverConnected }) => (
          <Facts
            rows={[
              ['State', <Badge key="state">{required ? 'required' : 'not required'}</Badge>],
              ['Members', members.toLocaleString(locale)],
              ['With no other way to sign in', bound.toLocaleString(locale)],
              ['Never signed in with it', neverConnected.toLocaleString(locale)],
            ]}
          />
        )}
      </Query>
    </Section>
  )
}

/** The screen of one connection. */
export function ConnectionScreen() {
  const id = usePathParam()
  return (
    <Query of={useOperation('getConnection', { params: { id } })} what="connection">
      {(connection) => (
        <Page
          title={connection.name}
          about={<ConnectionState state={connection.state} />}
          actions={<ConnectionActions connection={connection} />}
        >
          <Progress connection={connection} />
          <Provider connection={connection} />
          <LastTest connection={connection} />
          <Certificates connection={connection} />
          <Requirement connection={connection} />
          <Suspense fallback={<Loading />}>
            <Admission connection={connection} />
            <AttributeMappings connection={connection} />
            <ScimTokens connectionId={id} />
            <GroupRules connectionId={id} organizationId={connection.organizationId} />
            <ScimLog connectionId={id} />
          </Suspense>
        </Page>
      )}
    </Query>
  )
}
