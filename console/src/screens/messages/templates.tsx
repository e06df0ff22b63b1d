import { schemas } from 'virtual:operation-schemas'
import { ActionLink } from '../../actions/action-button.tsx'
import { namedChoicesOf, schemaAt } from '../../form/schema.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { kindNameOf } from './channel-fields.ts'

const kinds = namedChoicesOf(schemaAt(schemas.listTemplates.query, 'type'))

export function Templates() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createTemplate')} to={path('templates/new')} isPrimary>
      Create a template
    </ActionLink>
  )
  const actions = (
    <>
      <ActionLink right={useMayCall('cloneTemplates')} to={path('templates/copy')}>
        Copy to another tenant
      </ActionLink>
      {create}
    </>
  )
  return (
    <Page title="Templates" about="The texts of messages, written in Liquid." actions={actions}>
      <RecordList
        operation="listTemplates"
        input={{ params: { tenantId } }}
        label="Templates"
        keyOf={({ id }) => id}
        to={({ id }) => path(`templates/${id}`)}
        filters={[{ name: 'type', label: 'Kind', options: kinds }]}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Kind', cell: ({ type }) => kindNameOf(type) },
          { title: 'Subject', cell: ({ subject }) => subject ?? '' },
          { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
        ]}
        empty={
          <Empty title="There are no templates yet" action={create}>
            Until there is one, messages have the default texts in the language of the user.
          </Empty>
        }
      />
    </Page>
  )
}
