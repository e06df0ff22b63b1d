import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { DeleteSection } from '../../actions/delete-section.tsx'
import type { AnswerOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useTenantPath } from '../../session/tenant.tsx'
import { kindNameOf } from './channel-fields.ts'
import { useChannelChoices } from './pickers.ts'
import { TemplatePreview } from './template-preview.tsx'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function Shown({ template }: { readonly template: AnswerOf<'getTemplate'> }) {
  const { id, name, type, subject, body } = template
  const path = useTenantPath()
  const navigate = useNavigate()
  const [draft, setDraft] = useState({ subject, body })
  const take = useCallback((values: Readonly<Record<string, unknown>>) => {
    const title = values['subject']
    setDraft({ subject: typeof title === 'string' ? title : null, body: textOf(values['body']) })
  }, [])
  return (
    <Page title={name} about={`${kindNameOf(type)} template`}>
      <div className="columns">
        <Section title="Text">
          <OperationForm
            operation="updateTemplate"
            params={{ id }}
            record={template}
            fields={[
              'name',
              { name: 'subject', isShown: () => type === 'email' },
              { name: 'body', isMultiline: true, isCode: true },
            ]}
            submit="Save"
            done="Saved."
            onValues={take}
          />
        </Section>
        <TemplatePreview id={id} draft={draft} />
      </div>
      <Section title="Try it out" about="Sends what is saved. At most 10 tests an hour.">
        <OperationForm
          operation="testMessage"
          start={{ templateId: id, variables: {} }}
          fields={[
            { name: 'channelId', label: 'Channel', options: useChannelChoices() },
            { name: 'input/to', label: 'To', hint: "An address or number of the channel's kind." },
          ]}
          submit="Send a test"
          done="The test is queued."
          onDone={(message) => void navigate({ to: path(`messages/${message.id}`) })}
        />
      </Section>
      <DeleteSection
        operation="deleteTemplate"
        input={{ params: { id } }}
        title="Delete this template"
        about="Only a template that the sign-in rules do not use can be deleted."
        label="Delete template"
        name={name}
        list="templates"
      >
        Its messages have the default text again. This cannot be undone.
      </DeleteSection>
    </Page>
  )
}

export function Template() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const template = useOperation('getTemplate', { params: { id } })
  return (
    <Query of={template} what="template">
      {(found) => <Shown key={found.id} template={found} />}
    </Query>
  )
}
