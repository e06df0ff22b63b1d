import { schemas } from 'virtual:operation-schemas'
import { ActionLink } from '../../actions/action-button.tsx'
import { choicesOf, schemaAt } from '../../form/schema.ts'
import { RecordList } from '../../lists/record-list.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { Time } from '../../values/time.tsx'
import { Thumbnail, kindOfPicture, sizeOf } from './picture.tsx'

const mimes = choicesOf(schemaAt(schemas.listFiles.query, 'mime')).map(({ value }) => ({
  value,
  label: kindOfPicture(value),
}))
const accesses = choicesOf(schemaAt(schemas.listFiles.query, 'access'))

export function Files() {
  const { id: tenantId } = useTenant()
  const path = useTenantPath()
  const upload = (
    <ActionLink right={useMayCall('createUpload')} to={path('media/new')} isPrimary>
      Upload a picture
    </ActionLink>
  )
  const actions = (
    <>
      <ActionLink right={useMayCall('listUploads')} to={path('media/uploads')}>
        Uploads
      </ActionLink>
      {upload}
    </>
  )
  return (
    <Page title="Files" about="Pictures of this tenant, its users and its organizations." actions={actions}>
      <RecordList
        operation="listFiles"
        input={{ params: { tenantId } }}
        label="Files"
        keyOf={({ id }) => id}
        to={({ id }) => path(`media/${id}`)}
        filters={[
          { name: 'mime', label: 'Kind', options: mimes },
          { name: 'access', label: 'Access', options: accesses },
          { name: 'createdAfter', label: 'After', type: 'date' },
          { name: 'createdBefore', label: 'Before', type: 'date' },
        ]}
        columns={[
          {
            title: 'File',
            cell: (file) => (
              <span className="file-name">
                <Thumbnail id={file.id} size={file.size} /> {file.path}
              </span>
            ),
          },
          { title: 'Kind', cell: ({ mime }) => <span className="whole">{kindOfPicture(mime ?? '')}</span> },
          { title: 'Size', cell: ({ size }) => <span className="whole">{sizeOf(size)}</span> },
          {
            title: 'Pixels',
            cell: ({ width, height }) =>
              width === null || height === null ? '' : <span className="whole">{`${width} × ${height}`}</span>,
          },
          { title: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty title="There are no files yet" action={upload}>
            JPEG, PNG, WebP, GIF, AVIF and SVG, up to 20 MB each.
          </Empty>
        }
      />
    </Page>
  )
}
