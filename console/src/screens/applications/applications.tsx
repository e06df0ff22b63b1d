import { ActionLink } from '../../parts/action-button.tsx'
import { Page } from '../../parts/page.tsx'
import { RecordList } from '../../parts/record-list.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'

export function Applications() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createApplication')} to={path('applications/new')} isPrimary>
      Register an application
    </ActionLink>
  )
  return (
    <Page title="Applications" about="What signs users in through this tenant by OpenID Connect." actions={create}>
      <RecordList
        operation="listApplications"
        input={{ params: { tenantId } }}
        label="Applications"
        keyOf={({ id }) => id}
        to={({ id }) => path(`applications/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Consent', cell: ({ requireConsent }) => (requireConsent ? 'asked for' : 'not asked for') },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no applications yet" action={create}>
            Grafana, an app of your own, a device or a service can sign in with the accounts of this tenant.
          </Empty>
        }
      />
    </Page>
  )
}
