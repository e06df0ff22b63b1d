import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { SecretOnce } from './secret-once.tsx'
import { webhookFields } from './webhook-fields.ts'

export function CreateWebhook() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const [created, setCreated] = useState<AnswerOf<'createWebhook'>>()
  return (
    <Page title="Create a webhook">
      <Section title="Receiver and events" about="Each message is signed as Standard Webhooks specifies.">
        <OperationForm
          operation="createWebhook"
          start={{ tenantId }}
          fields={webhookFields()}
          submit="Create webhook"
          done="The webhook is created."
          onDone={setCreated}
          onCancel={() => void navigate({ to: path('webhooks') })}
        />
      </Section>
      {created === undefined ? null : (
        <SecretOnce
          title="Copy the signing secret"
          about="Your receiver checks the signature of each message with it. It is shown only once. Copy it now."
          name="The signing secret"
          secret={created.secret}
          onClose={() => void navigate({ to: path(`webhooks/${created.id}`) })}
        />
      )}
    </Page>
  )
}
