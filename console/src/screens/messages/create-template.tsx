import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

export function CreateTemplate() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Create a template" about="The next page shows a preview as you write.">
      <Section title="Template">
        <OperationForm
          operation="createTemplate"
          start={{ tenantId, type: 'email' }}
          fields={[
            'name',
            { name: 'type', label: 'Kind' },
            { name: 'subject', isShown: ({ type }) => type === 'email' },
            { name: 'body', isMultiline: true, isCode: true, hint: 'HTML for e-mails, else plain text; with Liquid.' },
          ]}
          submit="Create template"
          done="The template is created."
          onDone={({ id }) => void navigate({ to: path(`templates/${id}`) })}
          onCancel={() => void navigate({ to: path('templates') })}
        />
      </Section>
    </Page>
  )
}
