import { useOperation } from '../../api/use-operation.ts'
import { Table } from '../../lists/table.tsx'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'

/** The organizations of which a user is a member. */
export function UserOrganizations({ userId }: { readonly userId: string }) {
  const right = useMayCall('listOrganizations')
  return (
    <Section title="Organizations">
      {right.isAllowed ? <Memberships userId={userId} /> : <p className="quiet">{right.reason}</p>}
    </Section>
  )
}

function Memberships({ userId }: { readonly userId: string }) {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const found = useOperation('listOrganizations', { params: { tenantId }, query: { userId, perPage: '100' } })
  return (
    <Query of={found}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="quiet">The user is a member of no organization.</p>
        ) : (
          <Table
            label="Organizations"
            rows={data}
            keyOf={({ id }) => id}
            to={({ id }) => path(`organizations/${id}`)}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )
      }
    </Query>
  )
}
