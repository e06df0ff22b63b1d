import { ActionLink } from '../../actions/action-button.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'

const sideOf = (pixels: number) => (pixels === 0 ? 'auto' : String(pixels))

export function Transformations() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const create = (
    <ActionLink right={useMayCall('createTransformation')} to={path('transformations/new')} isPrimary>
      Create a transformation
    </ActionLink>
  )
  return (
    <Page
      title="Transformations"
      about="Named sizes and formats of pictures, which the addresses of images ask for."
      actions={create}
    >
      <RecordList
        operation="listTransformations"
        input={{ params: { tenantId } }}
        label="Transformations"
        keyOf={({ id }) => id}
        to={({ id }) => path(`transformations/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Format', cell: ({ outputFormat }) => outputFormat },
          {
            title: 'Pixels',
            cell: ({ outputWidth, outputHeight }) => (
              <span className="whole">{`${sideOf(outputWidth)} × ${sideOf(outputHeight)}`}</span>
            ),
          },
          { title: 'Steps', cell: ({ steps }) => (Array.isArray(steps) ? String(steps.length) : '') },
          { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
        ]}
        empty={
          <Empty title="There are no transformations yet" action={create}>
            Resize, crop, blur, turn and label pictures as they are delivered.
          </Empty>
        }
      />
    </Page>
  )
}
