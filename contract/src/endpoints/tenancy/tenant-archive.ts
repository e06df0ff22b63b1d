import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { id, object, text } from '../../schema.ts'
import { ExportTenant, ImportProgress, ImportTenant, archiveBytesMax } from '../../shapes/tenancy/tenant-archive.ts'

const tag = 'Deployment'
const passphrase = 'four words that are hard to guess'

export const exportTenant = endpoint({
  id: 'exportTenant',
  method: 'POST',
  path: '/deployment/tenants/{id}/archive',
  tag,
  summary: 'Download a tenant as an archive',
  description:
    'Only for the operator. The file is the same as that of `bailiwick export`: everything that the tenant needs on another server, as of one moment, including its secrets, and encrypted with the passphrase. It is created while it is sent. A file that was cut short has no end mark, and an import refuses it. A node creates at most two archives at a time.',
  permission: 'operator',
  tenant: { from: 'params.id' },
  params: object({ id: id() }),
  body: ExportTenant,
  response: text({ description: 'The archive' }),
  responseType: 'application/octet-stream',
  errors: ['not_found', 'too_many_streams'],
  example: { params: { id: sample.tenantId }, body: { passphrase }, response: 'the bytes of the archive' },
})

export const importTenant = endpoint({
  id: 'importTenant',
  method: 'POST',
  path: '/deployment/archives',
  tag,
  summary: 'Import a tenant from an archive',
  description:
    'Only for the operator. The tenant keeps its ids. The node receives the file, checks it, and then writes all of it or nothing: the rows become visible in one last transaction. The response begins once the file has arrived and could be opened, and has a line of progress each second; the last line says that the tenant was imported, or why not. Closing the connection before that cancels the import. A node imports one archive at a time.',
  permission: 'operator',
  body: ImportTenant,
  bodyType: 'multipart/form-data',
  bodyBytesMax: archiveBytesMax,
  response: ImportProgress,
  responseType: 'application/x-ndjson',
  errors: ['archive_conflict', 'archive_refused', 'too_many_streams'],
  example: {
    body: { passphrase, file: 'the bytes of the archive' },
    response: {
      step: 'imported',
      rows: 48_211,
      rowsTotal: 48_211,
      tenant: { id: sample.tenantId, slug: 'acme', name: 'Acme Incorporated' },
    },
  },
})
