// Operations that take or return bytes, under the base address of the management interface. Whoever has the address may call it, because
// the address is the credential.
import { type Endpoint } from './endpoint.ts'
import { sample } from './examples.ts'
import { id, object, oneOf, optional, text } from './schema.ts'
import { uploadBytesMax } from './shapes/media/media.ts'
import { resizeModes } from './shapes/media/transformation-step.ts'
import { outputFormats } from './shapes/media/transformation.ts'
import type { SaysItsTenant } from './tenant-source.ts'

/** A successful answer with a status other than 200, or an answer without a body. */
interface FurtherAnswer {
  readonly description: string
  /** Descriptions of this answer's headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it has the body of the 200 answer, or a part of it. */
  readonly hasBody?: boolean
}

export interface BinaryEndpoint extends Endpoint {
  /** Media types of the body. */
  readonly bodyTypes?: readonly string[]
  readonly answers?: Readonly<Record<number, FurtherAnswer>>
}

const binaryEndpoint = <const E extends BinaryEndpoint>(definition: E & SaysItsTenant<E>): E => definition

const tag = 'Media'
/** How many bytes a multipart body may have in addition to the file. */
export const aroundFileBytesMax = 64 * 1024

const imageHeaders = {
  ETag: 'Changes when the image changes, including its format',
  'Cache-Control':
    '`public`, or `private` for a private file; with `immutable` if the image at this address never changes',
  'Accept-Ranges': '`bytes`',
  Vary: '`Accept`, if the Accept header decided the format',
  'Content-Disposition': '`inline`; `attachment` for SVG',
  'Content-Security-Policy': 'Forbids scripts and other active content in the image',
  'Cross-Origin-Resource-Policy': '`cross-origin`: pages of any origin may show the image',
  'Access-Control-Allow-Origin': '`*`, for a public file',
} as const

export const showImage = binaryEndpoint({
  id: 'showImage',
  method: 'GET',
  path: '/media/{tenantId}/{fileId}/image',
  tag,
  summary: 'Show an image',
  description:
    'Returns the image as the transformation in `t` makes it, or unchanged without `t`. A private file needs `e` and `s`, which POST /media/files/{id}/sign returns; without them the answer is the same as for a file that does not exist. HEAD returns the same headers without the body.',
  permission: 'public',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id(), fileId: id({ description: 'The id of the file' }) }),
  query: object({
    t: optional(text({ minLength: 1, maxLength: 64, description: 'The name of a transformation of the tenant' })),
    w: optional(text({ description: 'The width in pixels, up to 4096. Only if the deployment accepts parameters' })),
    h: optional(text({ description: 'The height in pixels, up to 4096. Only if the deployment accepts parameters' })),
    rm: optional(
      oneOf(resizeModes, {
        description: 'How the image is fitted into width and height. Only if the deployment accepts parameters',
      }),
    ),
    q: optional(text({ description: 'The quality, 0 to 100. Only if the deployment accepts parameters' })),
    c: optional(text({ description: 'The compression, 0 to 100. Only if the deployment accepts parameters' })),
    f: optional(oneOf(outputFormats, { description: 'The format. Only if the deployment accepts parameters' })),
    v: optional(
      text({
        description:
          'The version of the transformation, as in signed addresses. Caches can then keep the image for ever',
      }),
    ),
    e: optional(text({ description: 'When a signed address expires, in seconds since 1970' })),
    s: optional(text({ description: 'The signature of a signed address' })),
  }),
  requestHeaders: {
    Accept: 'Decides the format if the transformation does not name one',
    'If-None-Match': 'ETags of images that the caller has: the answer is 304 if the image is one of them',
    'If-Match': 'ETags of images that the caller wants: the answer is 412 if the image is none of them',
    Range: 'A single byte range of the image',
    'If-Range': 'The ETag of the image that the range belongs to; if the image has another one, it is sent completely',
  },
  responseType: 'image/*',
  response: text({ description: 'The bytes of the image' }),
  headers: imageHeaders,
  answers: {
    206: {
      description: 'The requested part of the image',
      headers: { ...imageHeaders, 'Content-Range': 'The byte range that the body contains' },
      hasBody: true,
    },
    304: { description: 'The caller already has this image', headers: imageHeaders },
    412: { description: 'The image is not one of those that the caller wants' },
    416: {
      description: 'The image does not have this byte range',
      headers: { 'Content-Range': 'The size of the image in bytes' },
    },
  },
  errors: ['not_found', 'image_too_large', 'image_unprocessable'],
  example: {
    params: { tenantId: sample.tenantId, fileId: sample.upload.id },
    query: { t: 'thumbnail' },
    response: 'the bytes of the image',
  },
})

export const sendUploadContent = binaryEndpoint({
  id: 'sendUploadContent',
  method: 'PUT',
  alsoAs: ['POST'],
  path: '/media/uploads/{id}/content',
  tag,
  summary: 'Send the bytes of an upload',
  description:
    'Send them to the `uploadUrl` of the upload, including its token: either the plain bytes, or a multipart form with the file in the part `file`. POST does the same. Pages of any origin can send. A refused request stores nothing, and the URL can be used again.',
  permission: 'public',
  tenant: { finds: 'query.token' },
  params: object({ id: id({ description: 'The id of the upload' }) }),
  query: object({ token: text({ description: 'The credential of this upload (up_…)' }) }),
  body: text({ description: 'The bytes of the file' }),
  bodyTypes: ['image/*', 'application/octet-stream', 'multipart/form-data'],
  bodyBytesMax: uploadBytesMax + aroundFileBytesMax,
  response: object({ status: oneOf(['success']), id: text() }),
  errors: ['not_found', 'upload_finished', 'upload_under_way', 'image_too_large'],
  example: {
    params: { id: sample.upload.id },
    query: { token: 'up_9416ymAncJk6IdM2kcAuhnzAIteHfoOi4EKRAc5aA7n23vH8X' },
    response: { status: 'success', id: sample.upload.id },
  },
})

export const binaryEndpoints = { showImage, sendUploadContent } as const satisfies Record<string, BinaryEndpoint>
