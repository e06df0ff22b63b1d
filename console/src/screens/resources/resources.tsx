import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { locale } from '../../texts/translate.ts'
import { Time } from '../../values/time.tsx'

export function Resources() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createResource')} to={path('resources/new')} isPrimary>
      Add a resource
    </ActionLink>
  )
  return (
    <Page title="Resources" about="The APIs for which applications can get tokens." actions={create}>
      <RecordList
        operation="listResources"
        input={{ params: { tenantId } }}
        label="Resources"
        keyOf={({ id }) => id}
        to={({ id }) => path(`resources/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Resource indicator', cell: ({ indicator }) => <code>{indicator}</code> },
          { title: 'Scopes', cell: ({ scopes }) => scopes.length.toLocaleString(locale) },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no resources yet" action={create}>
            Add an API of yours, so that applications can ask for access to it.
          </Empty>
        }
      />
    </Page>
  )
}
