// How the members of an organization sign in with their own identity provider, and the links with which its administrator sets that up.
import type { Connection, NewSetupLink, SetupLink } from '@bailiwick/contract'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { AddingSection } from './adding-section.tsx'
import { ConnectionActions, ConnectionState } from './connection-actions.tsx'

function ConnectionBlock({ connection }: { readonly connection: Connection }) {
  const { id, name, state, oidc } = connection
  const input = { params: { id } }
  const path = useTenantPath()
  return (
    <li className="block">
      <div className="block-head">
        <Link to={path(`connections/${id}`)}>
          <strong>{name}</strong>
        </Link>{' '}
        <ConnectionState state={state} />
        <span className="actions">
          <ConnectionActions connection={connection} />
          <ConfirmAction operation="deleteConnection" input={input} label="Delete connection" name={name}>
            Members can no longer sign in with it. Users, memberships and sessions stay.
          </ConfirmAction>
        </span>
      </div>
      <OperationForm
        operation="updateConnection"
        params={{ id }}
        record={connection}
        fields={[
          'name',
          ...(oidc === null
            ? protocolFields.saml
            : [
                { name: 'oidc/clientId', label: 'Client ID' },
                {
                  name: 'oidc/clientSecret',
                  label: 'Client secret',
                  hint: oidc.hasClientSecret ? 'A secret is saved. Enter one only to replace it.' : '',
                },
                {
                  name: 'idJag',
                  label: 'Agents',
                  hint: 'on: the provider decides which agents act for its members (Cross-App Access, ID-JAG).',
                },
                { name: 'idJagScopes', label: 'Scopes of agents', hint: 'Leave it empty to allow all.' },
                { name: 'idJagTtl', label: 'Lifetime of their tokens', hint: 'Default: 15 minutes.', isSeconds: true },
              ]),
        ]}
        submit="Save"
        done="The connection is saved."
      />
    </li>
  )
}

const protocols = { oidc: 'OpenID Connect', saml: 'SAML 2.0' } as const
const nameField = { name: 'name', label: 'Name', hint: 'Users read it where they choose between connections.' }
const protocolFields = {
  oidc: [
    {
      name: 'oidc/issuer',
      label: 'Issuer',
      hint: 'Its metadata are at this address, followed by /.well-known/openid-configuration.',
      placeholder: 'https://id.acme.example',
    },
    { name: 'oidc/clientId', label: 'Client ID', hint: 'Can follow later.' },
    { name: 'oidc/clientSecret', label: 'Client secret', hint: 'Can follow later.' },
  ],
  saml: [
    {
      name: 'saml/metadataUri',
      label: 'Address of the metadata',
      hint: 'Can follow later, because the provider asks for our addresses first.',
    },
    {
      name: 'saml/metadataXml',
      label: 'Metadata as XML',
      hint: 'For a provider whose metadata have no address, such as Google.',
      isMultiline: true,
    },
  ],
} as const

function NewConnection({ organizationId, close }: { readonly organizationId: string; readonly close: () => void }) {
  const [type, setType] = useState<keyof typeof protocols>('oidc')
  return (
    <>
      <div className="actions">
        {(['oidc', 'saml'] as const).map((each) => (
          <button
            key={each}
            type="button"
            className={each === type ? 'button primary' : 'button'}
            aria-pressed={each === type}
            onClick={() => setType(each)}
          >
            {protocols[each]}
          </button>
        ))}
      </div>
      <OperationForm
        key={type}
        operation="createConnection"
        start={{ organizationId, type }}
        fields={[nameField, ...protocolFields[type]]}
        submit="Add connection"
        done="The connection is added."
        onDone={close}
        onCancel={close}
      />
    </>
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
      form={(close) => <NewConnection organizationId={organizationId} close={close} />}
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
        expires <Time at={expiresAt} />
        <span className="actions">
          <ConfirmAction operation="deleteSetupLink" input={{ params: { organizationId, id } }} label="Revoke link">
            The link of {email} stops working. What was set up stays.
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
      about="With a link, the customer's administrator sets up single sign-on. In each browser, the link asks for a code that is sent to the address."
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
          Send this link to {made.email}. It is shown only now. <Copyable name="link" text={made.uri} />
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
