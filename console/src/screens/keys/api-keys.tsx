import { useRef, useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import type { RowOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import type { Column } from '../../lists/table.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'

interface NewKeyProps {
  readonly read: () => string
  readonly onStored: () => void
}

/** The key that was just created. */
function NewKey({ read, onStored }: NewKeyProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(read())
    setCopied(true)
  }
  return (
    <Section title="The key is created" about="It can be copied only now, and is never shown.">
      <div className="actions">
        <button type="button" className="button primary" onClick={() => void copy()}>
          {isCopied ? 'Copied. Copy again' : 'Copy the key'}
        </button>
        <button type="button" className="button" onClick={onStored}>
          I have stored it
        </button>
      </div>
    </Section>
  )
}

interface CreateKeyProps {
  readonly onCreated: (key: string) => void
  readonly onCancel: () => void
}

function CreateKey({ onCreated, onCancel }: CreateKeyProps) {
  const { id: tenantId } = useTenant()
  return (
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
          { name: 'expiresAt', label: 'Expires', hint: 'Leave it empty for a key that does not expire.', isTime: true },
        ]}
        submit="Create key"
        onDone={({ key }) => onCreated(key)}
        onCancel={onCancel}
      />
    </Section>
  )
}

const columns: readonly Column<RowOf<'listApiKeys'>>[] = [
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
]

export function ApiKeys() {
  const { id: tenantId } = useTenant()
  const [isCreating, setCreating] = useState(false)
  // Kept outside React's state, so that no tool can show the key and it is gone when the screen is left.
  const made = useRef('')
  const [hasMade, setMade] = useState(false)
  const keep = (key: string) => {
    made.current = key
    setMade(key !== '')
    setCreating(false)
  }
  const create = (
    <ActionButton right={useMayCall('createApiKey')} isPrimary onClick={() => setCreating(true)}>
      Create an API key
    </ActionButton>
  )
  return (
    <Page title="API keys" about="For programs that need only some of the rights of the secret key." actions={create}>
      {hasMade ? <NewKey read={() => made.current} onStored={() => keep('')} /> : null}
      {isCreating ? <CreateKey onCreated={keep} onCancel={() => setCreating(false)} /> : null}
      <RecordList
        operation="listApiKeys"
        input={{ params: { tenantId } }}
        label="API keys"
        keyOf={({ id }) => id}
        columns={columns}
        empty={<Empty title="There are no API keys yet" action={isCreating ? undefined : create} />}
      />
    </Page>
  )
}
