import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AnswerOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useRoleOptions } from '../../session/role-options.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { SecretOnce } from '../webhooks/secret-once.tsx'
import { hookFields, passwordsField, pointField } from './hook-fields.ts'

export function CreateHook() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const navigate = useNavigate()
  const roles = useRoleOptions()
  const [created, setCreated] = useState<AnswerOf<'createHook'>>()
  return (
    <Page title="Create a hook">
      <Section
        title="Server"
        about="It must answer before what you choose goes on. Create the hook disabled, and enable it once its test succeeds."
      >
        <OperationForm
          operation="createHook"
          start={{ tenantId, receivesPasswords: false, enabled: false }}
          fields={[pointField, ...hookFields(roles), passwordsField, 'enabled']}
          submit="Create hook"
          done="The hook is created."
          onDone={setCreated}
          onCancel={() => void navigate({ to: path('hooks') })}
        />
      </Section>
      {created === undefined ? null : (
        <SecretOnce
          title="Copy the signing secret"
          about="Your server checks each call with it and signs its answers. It is shown only once. Copy it now."
          name="The signing secret"
          secret={created.secret}
          onClose={() => void navigate({ to: path(`hooks/${created.id}`) })}
        />
      )}
    </Page>
  )
}
