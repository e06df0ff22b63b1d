// Requests of media.
import type { BodyOf, endpoints } from '@bailiwick/contract'
import { transformationBody } from '../../harness/factories.ts'
import { type Requests, onTenant, inTenant, onRecord, queryingTenant } from '../request-kinds.ts'

const definition = (tenantId: string) => transformationBody(tenantId) as BodyOf<typeof endpoints.createTransformation>

export const mediaRequests = {
  listTransformations: onTenant,
  createTransformation: inTenant(({ tenantId }) => ({ ...definition(tenantId), description: 'A card' })),
  previewTransformation: {
    valid: ({ tenantId, fileId }) => ({ body: { ...definition(tenantId), fileId } }),
    foreign: ({ tenantId, fileId }, other) => [
      { naming: 'tenantId', request: { body: { ...definition(other.tenantId), fileId } }, answer: 'not_found' },
      {
        naming: 'fileId',
        request: { body: { ...definition(tenantId), fileId: other.fileId } },
        answer: { issueAt: '/fileId' },
      },
    ],
  },
  updateTransformation: {
    valid: ({ transformationId, tenantId }) => ({
      params: { id: transformationId },
      body: { ...definition(tenantId), description: 'A card' },
    }),
    foreign: ({ transformationId, tenantId }, other) => [
      {
        naming: 'id',
        request: { params: { id: other.transformationId }, body: definition(tenantId) },
        answer: 'not_found',
      },
      {
        naming: 'tenantId',
        request: { params: { id: transformationId }, body: definition(other.tenantId) },
        answer: 'not_found',
      },
      {
        naming: 'id and tenantId',
        request: { params: { id: other.transformationId }, body: definition(other.tenantId) },
        answer: 'not_found',
      },
    ],
  },
  getTransformation: onRecord('transformationId'),
  deleteTransformation: onRecord('spareTransformationId'),
  createUpload: inTenant(({ tenantId }) => ({
    tenantId,
    path: 'logos/acme.png',
    access: 'public' as const,
    originalFilename: 'acme.png',
    mime: 'image/png' as const,
    size: 100,
    meta: { of: 'logo' },
    transformations: ['avatar', 'thumbnail'],
  })),
  listUploads: onTenant,
  getUpload: onRecord('fileId'),
  deleteUpload: onRecord('spareUploadId'),
  listFiles: onTenant,
  getFile: onRecord('fileId'),
  deleteFile: onRecord('spareFileId'),
  signFile: {
    valid: ({ fileId }) => ({ params: { id: fileId }, body: { transformation: 'avatar', expiresIn: 60 } }),
    foreign: (_own, other) => [
      { naming: 'id', request: { params: { id: other.fileId }, body: {} }, answer: 'not_found' },
    ],
  },
  listMediaStatistics: queryingTenant,
  listFilesByDay: queryingTenant,
  listBytesByDay: queryingTenant,
  listUploadSizesByDay: queryingTenant,
} satisfies Requests
