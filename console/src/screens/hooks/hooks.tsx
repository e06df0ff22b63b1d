import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { pointNames } from './hook-fields.ts'

export function Hooks() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createHook')} to={path('hooks/new')} isPrimary>
      Create a hook
    </ActionLink>
  )
  return (
    <Page
      title="Hooks"
      about="Your own server decides about sign-ups, sign-ins, users, tokens, invitations and messages."
      actions={create}
    >
      <RecordList
        operation="listHooks"
        input={{ params: { tenantId } }}
        label="Hooks"
        keyOf={({ id }) => id}
        to={({ id }) => path(`hooks/${id}`)}
        columns={[
          { title: 'When', cell: ({ point }) => pointNames[point] },
          { title: 'Address', cell: ({ url }) => url },
          {
            title: 'State',
            cell: ({ enabled }) => (enabled ? <Badge tone="good">enabled</Badge> : <Badge>disabled</Badge>),
          },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no hooks yet" action={create}>
            A hook asks your server before something happens, for example before a user signs in.
          </Empty>
        }
      />
    </Page>
  )
}
