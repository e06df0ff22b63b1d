import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'
import { newApplicationFields } from './application-fields.tsx'

export function CreateApplication() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const [created, setCreated] = useState<AnswerOf<'createApplication'>>()
  const open = ({ id }: { readonly id: string }) => void navigate({ to: path(`applications/${id}`) })
  return (
    <Page title="Create an application">
      <Section
        title="Application"
        about="An app or a service that gets tokens from this tenant. Everything else has a default, which you can change later."
      >
        <OperationForm
          operation="createApplication"
          start={{ tenantId, type: 'web', requireConsent: true }}
          fields={newApplicationFields()}
          submit="Create application"
          done="The application is created."
          onDone={(answer) => (answer.clientSecret === null ? open(answer) : setCreated(answer))}
          onCancel={() => void navigate({ to: path('applications') })}
        />
      </Section>
      {created === undefined ? null : (
        <SecretOnce
          title="Copy the client secret"
          about="The application authenticates with it. It is shown only once. Copy it now."
          name="The client secret"
          secret={created.clientSecret ?? ''}
          onClose={() => open(created)}
        />
      )}
    </Page>
  )
}
