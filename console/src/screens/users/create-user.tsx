import { useNavigate } from '@tanstack/react-router'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { roleFields, useRoleOptions } from './role-options.ts'

/** Without an address there is nothing to mark. */
const withOwnFields = ({ emailVerified, ...body }: Readonly<Record<string, unknown>>) =>
  body['email'] === undefined ? body : { ...body, emailVerified }

export function CreateUser() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const roles = useRoleOptions()
  return (
    <Page title="Create a user" about="The first e-mail address and phone number become the primary ones.">
      <Section title="User">
        <OperationForm
          operation="createUser"
          start={{ tenantId, emailVerified: true }}
          toBody={withOwnFields}
          fields={[
            'name',
            { name: 'email', label: 'E-mail address' },
            {
              name: 'emailVerified',
              label: 'Mark the address as verified',
              hint: 'If it is off, the user has to verify the address before a password signs in.',
              isShown: (body) => body['email'] !== undefined,
            },
            { name: 'phone', label: 'Phone number', hint: 'With the country: +44 20 7946 0000.' },
            'username',
            { name: 'password', hint: 'Without one the user signs in by code, link, passkey or provider.' },
            ...(roles === undefined ? [] : roleFields(roles)),
          ]}
          submit="Create user"
          done="The user is created."
          onDone={({ id }) => void navigate({ to: path(`users/${id}`) })}
          onCancel={() => void navigate({ to: path('users') })}
        />
      </Section>
    </Page>
  )
}
