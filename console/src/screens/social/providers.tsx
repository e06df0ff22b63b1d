import { providerKeys, socialProviders } from '@bailiwick/contract'
import { ActionLink } from '../../actions/action-button.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { ProviderStateBadge } from '../providers/provider-parts.tsx'

const names = providerKeys.map((key) => socialProviders[key].name)

export function SocialProviders() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const { data: states } = useOperation('listSocialProviderStates', { params: { tenantId } })
  const create = (
    <ActionLink right={useMayCall('createSocialProvider')} to={path('social-providers/new')} isPrimary>
      Add a provider
    </ActionLink>
  )
  return (
    <Page title="Social providers" about="Accounts at other services with which users can sign in." actions={create}>
      <Query of={useOperation('listSocialProviders', { query: { tenantId } })}>
        {(providers) =>
          providers.length === 0 ? (
            <Empty title="There are no social providers yet" action={create}>
              {new Intl.ListFormat('en').format(names)} can be added.
            </Empty>
          ) : (
            <Table
              label="Social providers"
              rows={providers}
              keyOf={({ id }) => id}
              to={({ id }) => path(`social-providers/${id}`)}
              columns={[
                { title: 'Provider', cell: ({ providerKey }) => socialProviders[providerKey].name },
                {
                  title: 'State',
                  cell: ({ id }) => {
                    const found = states?.find(({ providerId }) => providerId === id)
                    return found === undefined ? null : <ProviderStateBadge state={found.state} />
                  },
                },
                {
                  title: 'Client',
                  cell: ({ useCustomCredentials, clientId }) =>
                    useCustomCredentials === true ? <code>{clientId}</code> : "The deployment's own",
                },
                { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
              ]}
            />
          )
        }
      </Query>
    </Page>
  )
}
