import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { endField } from './flag-fields.ts'
import { checkRights, presetFields, withPresetFlags } from './presets.ts'

export function AddAdministrator() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page
      title="Add an administrator"
      about="Takes effect at once, without an invitation. Only the operator of the deployment can do this."
    >
      <Section title="Account and rights">
        <OperationForm
          operation="createTenantMember"
          start={{ tenantId, preset: 'viewer' }}
          toBody={withPresetFlags}
          check={checkRights}
          fields={[
            { name: 'email', label: 'E-mail address' },
            { name: 'name', hint: 'Only for a new account at the console.' },
            { name: 'password', hint: 'Only for a new account at the console; at least 12 characters.' },
            ...presetFields,
            endField,
          ]}
          submit="Add administrator"
          done="The administrator is added."
          onDone={() => void navigate({ to: path('administrators') })}
          onCancel={() => void navigate({ to: path('administrators') })}
        />
      </Section>
    </Page>
  )
}
