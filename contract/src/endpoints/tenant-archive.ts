import { endpoint } from '../endpoint.ts'
import { sample } from '../examples.ts'
import { id, object, text } from '../schema.ts'
import { ExportTenant, ImportProgress, ImportTenant, archiveBytesMax } from '../shapes/tenant-archive.ts'

const tag = 'Deployment'
const passphrase = 'four words nobody guesses'

export const exportTenant = endpoint({
  id: 'exportTenant',
  method: 'POST',
  path: '/deployment/tenants/{id}/archive',
  tag,
  summary: 'Download a tenant as an archive',
  description:
    'Only for the operator. The file is that of `bailiwick export`: all that the tenant needs elsewhere, as of one moment, with its secrets, sealed as a whole under the passphrase. It is made while it is sent. A file that was cut short has no end mark, and no import takes it. A node makes two at a time.',
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
    'Only for the operator. The tenant keeps its ids. The node takes in the file, checks it, and then writes all of it or nothing: what was written becomes visible in one last transaction. The answer begins when the file has arrived and opens, and has a line of progress each second; the last line says that the tenant was imported, or why not. Closing the connection before that takes everything back. A node imports one archive at a time.',
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
