import { ConfirmAction } from '../../actions/confirm-action.tsx'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useTenant } from '../../session/tenant.tsx'
import { Badge } from '../../values/badge.tsx'
import { Time } from '../../values/time.tsx'
import { sizeOf } from './picture.tsx'

export function Uploads() {
  const { id: tenantId } = useTenant()
  return (
    <Page title="Uploads" about="Uploads that have begun. An upload that is not finished within an hour is removed.">
      <RecordList
        operation="listUploads"
        input={{ params: { tenantId } }}
        label="Uploads"
        keyOf={({ id }) => id}
        columns={[
          { title: 'File', cell: ({ originalFilename, path }) => <strong>{path ?? originalFilename}</strong> },
          { title: 'Access', cell: ({ access }) => access },
          { title: 'Size', cell: ({ size }) => <span className="whole">{sizeOf(size)}</span> },
          {
            title: 'State',
            cell: ({ finishedAt }) => (
              <Badge tone={finishedAt === null ? 'warning' : 'good'}>
                {finishedAt === null ? 'waits for its bytes' : 'finished'}
              </Badge>
            ),
          },
          { title: 'Announced', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Actions',
            cell: ({ id }) => (
              <ConfirmAction operation="deleteUpload" input={{ params: { id } }} label="Delete upload">
                The file that it has become is deleted with it. This cannot be undone.
              </ConfirmAction>
            ),
          },
        ]}
        empty={<Empty title="Nothing has been uploaded yet" />}
      />
    </Page>
  )
}
