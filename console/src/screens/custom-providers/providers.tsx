import { ActionLink } from '../../actions/action-button.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { EnabledBadge } from '../providers/provider-parts.tsx'

export function CustomProviders() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createCustomProvider')} to={path('custom-providers/new')} isPrimary>
      Add a provider
    </ActionLink>
  )
  return (
    <Page
      title="Custom providers"
      about="Your own OpenID Connect providers, with which users can sign in."
      actions={create}
    >
      <Query of={useOperation('listCustomProviders', { query: { tenantId } })}>
        {(providers) =>
          providers.length === 0 ? (
            <Empty title="There are no custom providers yet" action={create}>
              Add the identity provider of your company, or any other with OpenID Connect, by its issuer.
            </Empty>
          ) : (
            <Table
              label="Custom providers"
              rows={providers}
              keyOf={({ id }) => id}
              to={({ id }) => path(`custom-providers/${id}`)}
              columns={[
                { title: 'Name', cell: ({ name }) => name },
                {
                  title: 'State',
                  cell: ({ enabled }) => <EnabledBadge isEnabled={enabled} />,
                },
                { title: 'Issuer', cell: ({ issuer }) => <code>{issuer}</code> },
                { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
              ]}
            />
          )
        }
      </Query>
    </Page>
  )
}
