import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { shortTypeNames } from './application-fields.tsx'

export function Applications() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createApplication')} to={path('applications/new')} isPrimary>
      Create an application
    </ActionLink>
  )
  return (
    <Page
      title="Applications"
      about="Apps and services that sign users in, or get tokens, through this tenant."
      actions={create}
    >
      <RecordList
        operation="listApplications"
        input={{ params: { tenantId } }}
        label="Applications"
        keyOf={({ id }) => id}
        to={({ id }) => path(`applications/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Type', cell: ({ type }) => shortTypeNames[type] },
          {
            title: 'Consent',
            cell: ({ type, requireConsent }) =>
              type === 'machine' ? '' : requireConsent ? 'Asked for' : 'Not asked for',
          },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no applications yet" action={create}>
            Create an application for an app of your own, Grafana, a device or a service to sign in with the accounts of
            this tenant.
          </Empty>
        }
      />
    </Page>
  )
}
