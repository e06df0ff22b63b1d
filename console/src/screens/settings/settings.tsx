// The tenant itself: its name, its limits, and its deletion.
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useMay } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { translate } from '../../texts/translate.ts'
import { Copyable } from '../../values/copy.tsx'
import { Time } from '../../values/time.tsx'
import { ExportArchive } from './export-archive.tsx'

export function Settings() {
  const { id } = useTenant()
  const params = { id }
  const mayExport = useMay('operator').isAllowed
  const tenant = useOperation('getTenant', { params })
  const limits = useOperation('getTenantLimits', { params })
  return (
    <Page title="Settings">
      <Query of={tenant}>
        {(record) => (
          <Section title="Tenant">
            <Facts
              rows={[
                ['ID', <Copyable key="id" text={record.id} />],
                ['Environment', translate(record.environment)],
                ['Created', <Time key="created" at={record.createdAt} />],
              ]}
            />
            <OperationForm
              operation="updateTenant"
              params={params}
              record={record}
              fields={['name', { name: 'slug', hint: 'Part of the addresses of its pages, which change with it.' }]}
              submit="Save"
              done="The tenant is saved."
            />
          </Section>
        )}
      </Query>
      <Query of={limits}>
        {(record) => (
          <Section
            title="Limits"
            about="What the deployment sends for this tenant through its own channel. The operator sets these limits."
          >
            <OperationForm
              operation="putTenantLimits"
              params={params}
              record={record}
              fields={[
                { name: 'messagesPerDay', hint: "Through the deployment's own channel. Empty: the default." },
                {
                  name: 'trusted',
                  label: 'Own wording',
                  hint: "The deployment's channel sends this tenant's own templates and texts. While this is off, messages have the texts of the service, with the tenant's name and brand.",
                },
              ]}
              submit="Save limits"
              done="The limits are saved."
            />
          </Section>
        )}
      </Query>
      {mayExport ? <ExportArchive /> : null}
      <DangerZone />
    </Page>
  )
}

function DangerZone() {
  const { id, name } = useTenant()
  const navigate = useNavigate()
  return (
    <Section
      title="Danger zone"
      about="Users lose a deleted tenant at once. It can be restored for 30 days; then everything in it is erased."
      isDangerous
    >
      <div className="actions">
        <ConfirmAction
          operation="deleteTenant"
          input={{ params: { id } }}
          label="Delete tenant"
          name={name}
          onDone={() => {
            toast(`${name} is deleted.`)
            void navigate({ to: '/' })
          }}
        >
          Users can no longer sign in to {name}, its keys stop working, and its domains are free for others. Its id,
          which restores it, is <code>{id}</code>.
        </ConfirmAction>
      </div>
    </Section>
  )
}
