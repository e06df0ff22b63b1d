import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { endField } from './flag-fields.ts'
import { checkRights, presetFields, withPresetFlags } from './presets.ts'

export function InviteAdministrator() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  return (
    <Page title="Invite an administrator" about="The new administrator gets an e-mail and accepts the invitation.">
      <Section title="Recipient and rights">
        <OperationForm
          operation="inviteTenantMember"
          start={{ tenantId, preset: 'viewer' }}
          fields={[{ name: 'email', label: 'E-mail address' }, ...presetFields, endField]}
          toBody={withPresetFlags}
          check={checkRights}
          submit="Send invitation"
          done="The invitation is sent."
          onDone={() => void navigate({ to: path('administrators/invitations') })}
          onCancel={() => void navigate({ to: path('administrators') })}
        />
      </Section>
    </Page>
  )
}
