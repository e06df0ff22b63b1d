// The tokens with which the directory of an organization calls.
import type { ScimToken, ScimTokenWithToken } from '@bailiwick/contract'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { AddingSection } from '../organizations/adding-section.tsx'

function NewToken({ token: { token, baseUri } }: { readonly token: ScimTokenWithToken }) {
  return (
    <div role="status">
      <p>Enter these at the directory. The token is shown only now.</p>
      <Facts
        rows={[
          ['Base URL', <Copyable key="base" text={baseUri} />],
          ['Token', <Copyable key="token" text={token} />],
        ]}
      />
    </div>
  )
}

function TokenBlock({ token }: { readonly token: ScimToken }) {
  const { id: tokenId, connectionId: id, name, last4, lastUsedAt } = token
  return (
    <li className="block">
      <div className="block-head">
        <strong>{name}</strong> <code>…{last4}</code>{' '}
        {lastUsedAt === null ? (
          'not used yet'
        ) : (
          <>
            last used <Time at={lastUsedAt} />
          </>
        )}
        <span className="actions">
          <ConfirmAction operation="deleteScimToken" input={{ params: { id, tokenId } }} label="Revoke token">
            The directory that uses {name} is refused at once.
          </ConfirmAction>
        </span>
      </div>
    </li>
  )
}

export function ScimTokens({ connectionId: id }: { readonly connectionId: string }) {
  const [created, setCreated] = useState<ScimTokenWithToken>()
  const tokens = useOperation('listScimTokens', { params: { id } })
  return (
    <AddingSection
      title="Provisioning (SCIM)"
      about="The directory of the organization creates and deactivates its members with a token. Two can be live."
      operation="createScimToken"
      label="Create a token"
      form={(close) => (
        <OperationForm
          operation="createScimToken"
          params={{ id }}
          fields={[{ name: 'name', label: 'Name', placeholder: 'Okta' }]}
          submit="Create token"
          done="The token is created."
          onDone={(token) => {
            setCreated(token)
            close()
          }}
          onCancel={close}
        />
      )}
    >
      {created === undefined ? null : <NewToken token={created} />}
      <Query of={tokens}>
        {(found) =>
          found.length === 0 ? (
            <p className="quiet">There is no token.</p>
          ) : (
            <ul className="blocks">
              {found.map((token) => (
                <TokenBlock key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Query>
    </AddingSection>
  )
}
