// Tasks of the operator that no tenant has.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.tsx'
import { Health } from './health.tsx'
import { ImportArchive } from './import-archive.tsx'
import { Jobs } from './jobs.tsx'

export function Deployment() {
  const { deployment } = useSession()
  return (
    <Page title="Deployment">
      <Section title="Service">
        <Facts
          rows={[
            ['Version', deployment.version],
            ['Environment', deployment.environment],
            ['Sign-up at the console', deployment.consoleSignUpEnabled ? 'open to everyone' : 'by invitation'],
          ]}
        />
      </Section>
      <Health />
      <Jobs />
      <Section
        title="Create an account at the console"
        about="The address counts as verified. The administrator can create tenants, and be invited to others."
      >
        <OperationForm
          operation="createConsoleUser"
          fields={[
            { name: 'email', label: 'E-mail address' },
            'name',
            { name: 'password', hint: 'Without one, the administrator resets the password at the first sign-in.' },
          ]}
          submit="Create account"
          done="The account is created."
        />
      </Section>
      <ImportArchive />
      <RestoreTenant />
    </Page>
  )
}

function RestoreTenant() {
  const navigate = useNavigate()
  const [id, setId] = useState('')
  return (
    <Section title="Restore a deleted tenant" about="Possible for 30 days after it was deleted.">
      <div className="form">
        <label className="field">
          <span className="label">ID of the tenant</span>
          <input
            value={id}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setId(event.target.value.trim())}
          />
        </label>
        <div className="actions">
          <ConfirmAction
            operation="restoreTenant"
            input={{ params: { id } }}
            label="Restore tenant"
            isDangerous={false}
            onDone={() => {
              toast('The tenant is restored.')
              void navigate({ to: `/t/${id}` })
            }}
          >
            Its users can sign in again.
          </ConfirmAction>
        </div>
      </div>
    </Section>
  )
}
