import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

export function CreateUser() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Create a user">
      <Section title="Person" about="What the sign-in rules require, and as much more as you know.">
        <OperationForm
          operation="createUser"
          start={{ tenantId }}
          fields={[
            'name',
            { name: 'email', label: 'E-mail address' },
            { name: 'phone', label: 'Phone number' },
            'username',
            'password',
          ]}
          submit="Create user"
          done="The user is created."
          onDone={() => void navigate({ to: path('users') })}
          onCancel={() => void navigate({ to: path('users') })}
        />
      </Section>
    </Page>
  )
}
