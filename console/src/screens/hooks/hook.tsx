import { useParams } from '@tanstack/react-router'
import { ActionButton } from '../../actions/action-button.tsx'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty, Refusal } from '../../parts/states.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useRoleOptions } from '../../session/role-options.ts'
import { translate } from '../../texts/translate.ts'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { SigningSecret } from '../webhooks/signing-secret.tsx'
import { hookFields, pointNames } from './hook-fields.ts'

const results = {
  allow: ['allowed', 'good'],
  deny: ['denied', 'warning'],
  require_second_factor: ['second factor', 'good'],
  sent: ['sent by your server', 'good'],
  failed: ['failed', 'bad'],
  skipped: ['skipped', 'bad'],
} as const

function Calls({ id }: { readonly id: string }) {
  const right = useMayCall('testHook')
  const test = useChange('testHook', {
    onDone: ({ result, error }) => toast(error ?? `The answer is: ${translate(results[result][0])}.`),
  })
  return (
    <Section
      title="Calls"
      about="Kept for 30 days, without what was asked and answered."
      actions={
        <ActionButton right={right} onClick={() => test.mutate({ params: { id } })}>
          Send a test
        </ActionButton>
      }
    >
      <Refusal error={test.error} />
      <RecordList
        operation="listHookCalls"
        input={{ params: { id } }}
        label="Calls"
        keyOf={(call) => call.id}
        everyMs={5000}
        columns={[
          {
            title: 'Result',
            cell: ({ result }) => <Badge tone={results[result][1]}>{results[result][0]}</Badge>,
          },
          { title: 'Reason', cell: ({ error }) => error ?? '–' },
          { title: 'Duration', cell: ({ durationMs }) => `${durationMs} ms` },
          { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={<Empty title="No calls yet">Send a test to see whether your server answers.</Empty>}
      />
    </Section>
  )
}

function Shown({ hook }: { readonly hook: AnswerOf<'getHook'> }) {
  const { id, url, point, receivesPasswords } = hook
  const roles = useRoleOptions()
  return (
    <Page
      title={url}
      about={receivesPasswords ? 'First sign-in of a user of your former system, with the password' : pointNames[point]}
    >
      <Calls id={id} />
      <Section title="Settings">
        <OperationForm
          operation="updateHook"
          params={{ id }}
          record={hook}
          fields={[...hookFields(roles), { name: 'enabled', hint: 'While it is disabled, your server is not asked.' }]}
          submit="Save"
          done="Saved."
        />
      </Section>
      <SigningSecret
        id={id}
        operation="rotateHookSecret"
        about="It cannot be read again. If it may have leaked, replace it: for 24 hours both are valid."
      >
        Put the new secret into your server within 24 hours.
      </SigningSecret>
      <DeleteSection
        operation="deleteHook"
        input={{ params: { id } }}
        title="Delete this hook"
        about="This server is then no longer asked."
        label="Delete hook"
        list="hooks"
      >
        {url} is no longer asked. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function Hook() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const hook = useOperation('getHook', { params: { id } })
  return (
    <Query of={hook} what="hook">
      {(found) => <Shown key={found.id} hook={found} />}
    </Query>
  )
}
