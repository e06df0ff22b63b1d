// How the members of an organization sign in with their own identity provider, and the links with which its administrator sets that up.
import type { Connection, NewSetupLink, SetupLink } from '@bailiwick/contract'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { DirectAction } from '../../actions/direct-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Badge } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { AddingSection } from './adding-section.tsx'

const states = {
  draft: ['plain', 'Not tested'],
  tested: ['warning', 'Tested, not on'],
  live: ['good', 'On'],
  off: ['bad', 'Off'],
} as const

/** The test opens in another window, and its report is read there or here. */
function TestConnection({ id }: Pick<Connection, 'id'>) {
  const [address, setAddress] = useState<string | null>()
  if (address !== undefined && address !== null) {
    return (
      <a
        className="button primary"
        href={address}
        target="_blank"
        rel="noreferrer"
        onClick={() => setAddress(undefined)}
      >
        Sign in at the provider
      </a>
    )
  }
  return (
    <DirectAction
      operation="testConnection"
      input={{ params: { id } }}
      label="Test"
      done="The test is ready."
      onDone={({ authorizeUri }) => setAddress(authorizeUri)}
    />
  )
}

function LastTest({ id }: Pick<Connection, 'id'>) {
  const { data } = useOperation('getConnectionTest', { params: { id } })
  if (data?.report === undefined || data.report === null) return <span className="quiet">none today</span>
  const { problem, refusal, email } = data.report
  return (
    <>
      <Badge tone={data.state === 'passed' ? 'good' : 'bad'}>{data.state}</Badge> {problem ?? refusal ?? email}{' '}
      <Time at={data.createdAt} />
    </>
  )
}

function ConnectionFacts({ connection: { id, oidc } }: { readonly connection: Connection }) {
  return (
    <Facts
      rows={[
        ['Redirect URI', oidc === null ? undefined : <Copyable key="callback" text={oidc.callbackUri} />],
        ['Issuer', oidc?.issuer],
        ['Last test', <LastTest key="test" id={id} />],
      ]}
    />
  )
}

function ConnectionBlock({ connection }: { readonly connection: Connection }) {
  const { id, name, state, oidc } = connection
  const [tone, label] = states[state]
  const input = { params: { id } }
  return (
    <li className="block">
      <div className="block-head">
        <strong>{name}</strong> <Badge tone={tone}>{label}</Badge>
        <span className="actions">
          <TestConnection id={id} />
          {state === 'live' ? (
            <ConfirmAction operation="updateConnection" input={{ ...input, body: { state: 'off' } }} label="Switch off">
              Members can no longer sign in with {name}. Their sessions continue.
            </ConfirmAction>
          ) : (
            <DirectAction
              operation="updateConnection"
              input={{ ...input, body: { state: 'live' } }}
              label="Switch on"
              done={`${name} is on.`}
            />
          )}
          <ConfirmAction operation="deleteConnection" input={input} label="Delete connection" name={name}>
            Members can no longer sign in with it. Users, memberships and sessions stay.
          </ConfirmAction>
        </span>
      </div>
      <ConnectionFacts connection={connection} />
      <OperationForm
        operation="updateConnection"
        params={{ id }}
        record={connection}
        fields={[
          'name',
          ...(oidc === null
            ? []
            : [
                { name: 'oidc/clientId', label: 'Client ID' },
                {
                  name: 'oidc/clientSecret',
                  label: 'Client secret',
                  hint: oidc.hasClientSecret ? 'A secret is saved. Enter one only to replace it.' : '',
                },
              ]),
          {
            name: 'required',
            label: 'Required',
            hint: 'Users with an address of the verified domains can sign in only with this connection.',
          },
        ]}
        submit="Save"
        done="The connection is saved."
      />
    </li>
  )
}

function Connections({ organizationId }: { readonly organizationId: string }) {
  const connections = useOperation('listConnectionsOfOrganization', { params: { organizationId } })
  return (
    <AddingSection
      title="Identity providers"
      about="Users with an address at a domain of the organization that is verified by DNS sign in here."
      operation="createConnection"
      label="Add a connection"
      form={(close) => (
        <OperationForm
          operation="createConnection"
          start={{ organizationId, type: 'oidc' }}
          fields={[
            { name: 'name', label: 'Name', hint: 'Users read it where they choose between connections.' },
            { name: 'oidc/issuer', label: 'Issuer', placeholder: 'https://id.acme.example' },
            { name: 'oidc/clientId', label: 'Client ID', hint: 'Can follow later.' },
            { name: 'oidc/clientSecret', label: 'Client secret', hint: 'Can follow later.' },
          ]}
          submit="Add connection"
          done="The connection is added."
          onDone={close}
          onCancel={close}
        />
      )}
    >
      <Query of={connections}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">It has no identity provider yet.</p>
          ) : (
            <ul className="blocks">
              {found.map((connection) => (
                <ConnectionBlock key={connection.id} connection={connection} />
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}

function LinkBlock({ link }: { readonly link: SetupLink }) {
  const { id, organizationId, email, openedAt, finishedAt, expiresAt } = link
  return (
    <li className="block">
      <div className="block-head">
        <strong>{email}</strong>{' '}
        <Badge tone={finishedAt === null ? 'plain' : 'good'}>
          {finishedAt !== null ? 'finished' : openedAt === null ? 'not opened yet' : 'opened'}
        </Badge>{' '}
        until <Time at={expiresAt} />
        <span className="actions">
          <ConfirmAction operation="deleteSetupLink" input={{ params: { organizationId, id } }} label="Revoke link">
            The link that {email} has stops working. What was set up stays.
          </ConfirmAction>
        </span>
      </div>
    </li>
  )
}

function SetupLinks({ organizationId }: { readonly organizationId: string }) {
  const [made, setMade] = useState<NewSetupLink>()
  const links = useOperation('listSetupLinks', { params: { organizationId } })
  return (
    <AddingSection
      title="Set-up links"
      about="Lets the customer's administrator set up sign-on alone. Each time the link is opened, a code is sent to the address."
      operation="createSetupLink"
      label="Create a set-up link"
      form={(close) => (
        <OperationForm
          operation="createSetupLink"
          params={{ organizationId }}
          fields={[{ name: 'email', label: "Administrator's e-mail address", placeholder: 'it@acme.example' }]}
          submit="Create link"
          done="The link is created."
          onDone={(link) => {
            setMade(link)
            close()
          }}
          onCancel={close}
        />
      )}
    >
      {made === undefined ? null : (
        <p role="status">
          Send this link to {made.email}. It is shown only now. <Copyable text={made.uri} />
        </p>
      )}
      <Query of={links}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">There are no links.</p>
          ) : (
            <ul className="blocks">
              {found.map((link) => (
                <LinkBlock key={link.id} link={link} />
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}

/** The screen of an organization's sign-on. */
export function SignOn() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  return (
    <Page title="Single sign-on" about="How members sign in with the identity provider of their company.">
      <SetupLinks organizationId={id} />
      <Connections organizationId={id} />
    </Page>
  )
}
