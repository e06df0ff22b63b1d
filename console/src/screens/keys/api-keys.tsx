import { useRef, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'

export function ApiKeys() {
  const { id: tenantId } = useTenant()
  const [isCreating, setCreating] = useState(false)
  // Kept outside React's state, so that no tool can show the key and it is gone when the screen is left.
  const made = useRef('')
  const [hasMade, setMade] = useState(false)
  const create = (
    <ActionButton right={useMayCall('createApiKey')} isPrimary onClick={() => setCreating(true)}>
      Create an API key
    </ActionButton>
  )
  return (
    <Page title="API keys" about="For programs that need only some of the rights of the secret key." actions={create}>
      {hasMade ? (
        <Section title="The key is made" about="It can be copied only now, and is never shown.">
          <div className="actions">
            <CopyKey read={() => made.current} />
            <button
              type="button"
              className="button"
              onClick={() => {
                made.current = ''
                setMade(false)
              }}
            >
              I have stored it
            </button>
          </div>
        </Section>
      ) : null}
      {isCreating ? (
        <Section title="Create an API key">
          <OperationForm
            operation="createApiKey"
            start={{ tenantId }}
            fields={[
              'name',
              {
                name: 'scopes',
                label: 'What it may do',
                hint: 'Without users:write, config:write cannot change channels in use, templates with codes or links, or providers whose e-mail addresses are trusted.',
              },
              { name: 'expiresAt', label: 'Expires', placeholder: '2027-01-31T00:00:00Z' },
            ]}
            submit="Create key"
            onDone={({ key }) => {
              made.current = key
              setMade(true)
              setCreating(false)
            }}
            onCancel={() => setCreating(false)}
          />
        </Section>
      ) : null}
      <RecordList
        operation="listApiKeys"
        input={{ params: { tenantId } }}
        label="API keys"
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { title: 'Ends in', cell: ({ last4 }) => <code>…{last4}</code> },
          {
            title: 'May',
            cell: ({ scopes }) => (
              <span className="codes">
                {scopes.map((scope) => (
                  <code key={scope}>{scope}</code>
                ))}
              </span>
            ),
          },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          { title: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            title: 'Actions',
            cell: ({ id, name }) => (
              <ConfirmAction operation="deleteApiKey" input={{ params: { id } }} label="Delete key">
                Programs that use {name} are refused at once.
              </ConfirmAction>
            ),
          },
        ]}
        empty={<Empty title="There are no API keys yet" action={isCreating ? undefined : create} />}
      />
    </Page>
  )
}

const CopyKey = ({ read }: { readonly read: () => string }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(read())
    setCopied(true)
  }
  return (
    <button type="button" className="button primary" onClick={() => void copy()}>
      {isCopied ? 'Copied. Copy again' : 'Copy the key'}
    </button>
  )
}
