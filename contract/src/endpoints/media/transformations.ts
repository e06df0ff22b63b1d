import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { id, object, page, pageQuery, plainId, recordBasis, text } from '../../schema.ts'
import { PreviewTransformation, Transformation, WriteTransformation } from '../../shapes/media/transformation.ts'

const tag = 'Media transformations'

const body = {
  tenantId: sample.tenantId,
  name: 'card',
  description: 'The picture of an article in a list',
  outputFormat: 'auto',
  outputQuality: 80,
  outputCompression: 6,
  outputWidth: 640,
  outputHeight: 360,
  outputResizeMode: 'crop',
  steps: [{ type: 'blur', options: { blurType: 'fast', strength: 3 } }],
}

export const listTransformations = endpoint({
  id: 'listTransformations',
  method: 'GET',
  path: '/tenants/{tenantId}/media/transformations',
  tag,
  summary: 'List the transformations of a tenant',
  permission: 'media:read',
  tenant: { from: 'params.tenantId' },
  params: object({ tenantId: id() }),
  query: pageQuery,
  response: page(Transformation),
  errors: ['not_found'],
  example: { params: { tenantId: sample.tenantId }, response: pageOf(sample.transformation) },
})

export const createTransformation = endpoint({
  id: 'createTransformation',
  method: 'POST',
  path: '/media/transformations',
  tag,
  summary: 'Create a transformation',
  permission: 'media:write',
  tenant: { from: 'body.tenantId' },
  body: WriteTransformation,
  response: Transformation,
  errors: ['not_found', 'transformation_name_taken'],
  example: { body, response: sample.transformation },
})

const params = object({ id: plainId() })
const idExample = { params: { id: sample.transformationId } }

export const getTransformation = endpoint({
  id: 'getTransformation',
  method: 'GET',
  path: '/media/transformations/{id}',
  tag,
  summary: 'Read a transformation',
  permission: 'media:read',
  tenant: { locates: 'transformations', by: 'params.id' },
  params,
  response: Transformation,
  errors: ['not_found'],
  example: { ...idExample, response: sample.transformation },
})

export const updateTransformation = endpoint({
  id: 'updateTransformation',
  method: 'PATCH',
  path: '/media/transformations/{id}',
  tag,
  summary: 'Change a transformation',
  description: 'Send the whole definition. A description that is left out stays as it is.',
  permission: 'media:write',
  tenant: { locates: 'transformations', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: WriteTransformation,
  response: Transformation,
  errors: ['not_found', 'transformation_name_taken', 'changed_meanwhile'],
  example: { ...idExample, body, response: sample.transformation },
})

export const deleteTransformation = endpoint({
  id: 'deleteTransformation',
  method: 'DELETE',
  path: '/media/transformations/{id}',
  tag,
  summary: 'Delete a transformation',
  description: 'Image URLs that name it are then answered with 404.',
  permission: 'media:write',
  tenant: { locates: 'transformations', by: 'params.id' },
  params,
  response: Transformation,
  errors: ['not_found'],
  example: { ...idExample, response: sample.transformation },
})

export const previewTransformation = endpoint({
  id: 'previewTransformation',
  method: 'POST',
  path: '/media/transformations/preview',
  tag,
  summary: 'Try a transformation on a file',
  description: 'Returns the image itself; nothing is stored.',
  permission: 'media:read',
  tenant: { from: 'body.tenantId' },
  body: PreviewTransformation,
  responseType: 'image/*',
  response: text({ description: 'The bytes of the image' }),
  errors: ['not_found', 'image_too_large', 'image_unprocessable'],
  example: { body: { ...body, fileId: sample.upload.id }, response: 'the bytes of the image' },
})
