import { Link } from '@tanstack/react-router'
import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMay, useMayCall } from '../../session/rights.ts'
import { EnvironmentBadge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { OwnInvitations } from './own-invitations.tsx'

const environments = [
  { value: 'development', label: 'Development' },
  { value: 'staging', label: 'Staging' },
  { value: 'production', label: 'Production' },
]

export function Tenants() {
  const right = useMayCall('createTenant')
  const create = (
    <ActionLink right={right} to="/tenants/new" isPrimary>
      Create a tenant
    </ActionLink>
  )
  const actions = (
    <>
      {useMay('operator').isAllowed ? (
        <Link to="/deployment" className="button">
          Deployment
        </Link>
      ) : null}
      {create}
    </>
  )
  return (
    <Page title="Tenants" about="Each has its own users, sign-in rules, brand and domains." actions={actions}>
      <OwnInvitations />
      <RecordList
        operation="listOwnTenants"
        input={{}}
        label="Tenants"
        search="Search by name or slug"
        filters={[{ name: 'environment', label: 'Environment', options: environments }]}
        keyOf={({ id }) => id}
        to={({ id }) => `/t/${id}`}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
          { title: 'Environment', cell: ({ environment }) => <EnvironmentBadge of={environment} /> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There is no tenant yet" action={create}>
            A tenant is one customer, one product or one environment of yours.
          </Empty>
        }
      />
    </Page>
  )
}
