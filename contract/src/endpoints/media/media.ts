import { endpoint, metaBodyBytesMax } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { createdRange, id, narrowedTotal, object, oneOf, optional, page, pageQuery } from '../../schema.ts'
import {
  CreateUpload,
  File,
  SignFile,
  SignedFile,
  Upload,
  UploadWithUrl,
  accesses,
  imageMimes,
} from '../../shapes/media/media.ts'

const tag = 'Media'
const params = object({ id: id() })
const paramsExample = { id: sample.upload.id }
const ofTenant = { params: object({ tenantId: id() }), query: pageQuery } as const
const listExample = { params: { tenantId: sample.tenantId } }

export const createUpload = endpoint({
  id: 'createUpload',
  method: 'POST',
  path: '/media/uploads',
  tag,
  summary: 'Announce a file',
  description:
    'Whoever has `uploadUrl` can then send the bytes to it, once and within an hour: JPEG, PNG, WebP, GIF, AVIF or SVG of at most 20 MiB, 50 million pixels and 100 frames. Their number and type must be as announced; otherwise nothing is stored and the URL can be used again. SVG is sanitised. A finished upload becomes a file with the same id.',
  permission: 'media:write',
  tenant: { from: 'body.tenantId' },
  body: CreateUpload,
  bodyBytesMax: metaBodyBytesMax,
  response: UploadWithUrl,
  errors: ['not_found', 'media_quota_exceeded'],
  example: {
    body: {
      tenantId: sample.tenantId,
      path: sample.upload.path,
      access: 'public',
      originalFilename: sample.upload.originalFilename,
      mime: sample.upload.mime,
      size: sample.upload.size,
    },
    response: sample.uploadWithUrl,
  },
})

export const getUpload = endpoint({
  id: 'getUpload',
  method: 'GET',
  path: '/media/uploads/{id}',
  tag,
  summary: 'Read an upload',
  permission: 'media:read',
  tenant: { locates: 'media_uploads', by: 'params.id' },
  params,
  response: Upload,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.upload },
})

export const deleteUpload = endpoint({
  id: 'deleteUpload',
  method: 'DELETE',
  path: '/media/uploads/{id}',
  tag,
  summary: 'Delete an upload',
  description: 'Its URL then refuses all bytes. If the upload has become a file, the file is deleted too.',
  permission: 'media:write',
  tenant: { locates: 'media_uploads', by: 'params.id' },
  params,
  response: Upload,
  errors: ['not_found', 'file_in_use'],
  example: { params: paramsExample, response: sample.upload },
})

export const listUploads = endpoint({
  id: 'listUploads',
  method: 'GET',
  path: '/tenants/{tenantId}/media/uploads',
  tag,
  summary: "List a tenant's uploads, newest first",
  description: 'An upload that is not finished within an hour is removed.',
  permission: 'media:read',
  tenant: { from: 'params.tenantId' },
  ...ofTenant,
  response: page(Upload),
  errors: ['not_found'],
  example: { ...listExample, response: pageOf(sample.upload) },
})

export const getFile = endpoint({
  id: 'getFile',
  method: 'GET',
  path: '/media/files/{id}',
  tag,
  summary: 'Read the record of a file',
  permission: 'media:read',
  tenant: { locates: 'media_files', by: 'params.id' },
  params,
  response: File,
  errors: ['not_found'],
  example: { params: paramsExample, response: sample.file },
})

export const deleteFile = endpoint({
  id: 'deleteFile',
  method: 'DELETE',
  path: '/media/files/{id}',
  tag,
  summary: 'Delete a file',
  description: 'The file and its upload are gone at once; the bytes are removed soon after.',
  permission: 'media:write',
  tenant: { locates: 'media_files', by: 'params.id' },
  params,
  response: File,
  errors: ['not_found', 'file_in_use'],
  example: { params: paramsExample, response: sample.file },
})

export const signFile = endpoint({
  id: 'signFile',
  method: 'POST',
  path: '/media/files/{id}/sign',
  tag,
  summary: 'Create a URL that shows a file',
  description:
    '`GET /media/{tenantId}/{fileId}/image` shows images, transformed if `t` names a transformation. A private image is shown only at a signed URL, which is valid for this file and this transformation.',
  permission: 'media:read',
  tenant: { locates: 'media_files', by: 'params.id' },
  params,
  body: SignFile,
  response: SignedFile,
  errors: ['not_found'],
  example: {
    params: paramsExample,
    body: { transformation: 'card', expiresIn: 600 },
    response: {
      url: `https://id.example.com/api/v0/media/${sample.tenantId}/${sample.upload.id}/image?t=card&v=5d41402abc4b2a76&e=1795215600&s=Zm9yIGV4YW1wbGUgb25seQ`,
      expiresAt: sample.upload.createdAt,
    },
  },
})

export const listFiles = endpoint({
  id: 'listFiles',
  method: 'GET',
  path: '/tenants/{tenantId}/media/files',
  tag,
  summary: "List a tenant's files, newest first",
  description: narrowedTotal,
  permission: 'media:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: object({
    ...pageQuery.properties,
    ...createdRange,
    mime: optional(oneOf(imageMimes, { description: 'Only files of this media type' })),
    access: optional(oneOf(accesses, { description: 'Only files with this access' })),
  }),
  response: page(File),
  errors: ['not_found'],
  example: { ...listExample, response: pageOf(sample.file) },
})
