import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { useChannelChoices, useTemplateChoices } from './pickers.ts'

export function SendMessage() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Send a message">
      <Section title="Message" about="It is queued, and sent in the background.">
        <OperationForm
          operation="sendMessage"
          start={{ tenantId, variables: {} }}
          fields={[
            { name: 'template', hint: 'What it says.', options: useTemplateChoices() },
            { name: 'channel', hint: 'The channel that delivers it.', options: useChannelChoices() },
            { name: 'input/to', label: 'To', hint: "An address or number of the channel's kind." },
            { name: 'variables', hint: 'The values for the variables of the template, as JSON.' },
          ]}
          submit="Send message"
          done="The message is queued."
          onDone={({ id }) => void navigate({ to: path(`messages/${id}`) })}
          onCancel={() => void navigate({ to: path('messages') })}
        />
      </Section>
    </Page>
  )
}
