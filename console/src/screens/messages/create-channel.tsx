import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { newChannelFields, withOwnSettings } from './channel-fields.ts'

export function CreateChannel() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Create a channel">
      <Section title="Who delivers" about="Keys and passwords are kept sealed and are never shown again.">
        <OperationForm
          operation="createChannel"
          start={{ tenantId, type: 'email', enabled: true }}
          fields={newChannelFields}
          toBody={withOwnSettings}
          submit="Create channel"
          done="The channel is created."
          onDone={({ id }) => void navigate({ to: path(`channels/${id}`) })}
          onCancel={() => void navigate({ to: path('channels') })}
        />
      </Section>
    </Page>
  )
}
