import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

export function CreateOrganization() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Create an organization">
      <Section title="Organization">
        <OperationForm
          operation="createOrganization"
          start={{ tenantId }}
          fields={[
            'name',
            { name: 'slug', hint: 'Part of its addresses. If empty, it is made from the name.' },
            { name: 'imageUri', label: 'Address of its picture' },
            'description',
          ]}
          submit="Create organization"
          done="The organization is created."
          onDone={({ id }) => void navigate({ to: path(`organizations/${id}`) })}
          onCancel={() => void navigate({ to: path('organizations') })}
        />
      </Section>
    </Page>
  )
}
