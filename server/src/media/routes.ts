import { binaryEndpoints, endpoints } from '@bailiwick/contract'
import { Content } from '../platform/http/answer.ts'
import type { Management } from '../platform/http/management-steps.ts'
import { type Steps, bind } from '../platform/http/pipeline.ts'
import { ImageCall, type ImageDelivery } from './delivery/delivery-steps.ts'
import { imagePolicy } from './delivery/image-headers.ts'
import { previewTransformation } from './delivery/preview.ts'
import { signFile } from './delivery/sign-file.ts'
import type { Deps } from './deps.ts'
import { getFile, listFiles } from './files.ts'
import { countMediaByDay, readMediaStatistics } from './statistics.ts'
import { type UploadCall, uploadContentRoutes } from './uploads/content-steps.ts'
import type { UploadLimits } from './uploads/upload-limits.ts'
import { createUpload, deleteFile, deleteUpload, getUpload, listUploads } from './uploads/uploads.ts'

/** The routes that receive and show bytes; their steps are in service/interfaces.ts. */
export interface Binary {
  readonly limits: UploadLimits
  readonly uploadSteps: Steps<UploadCall>
  readonly delivery: ImageDelivery
  readonly imageSteps: Steps<ImageCall>
}

export function mediaRoutes(management: Management, deps: Deps, binary: Binary) {
  const { app, handle } = management
  const { limits, delivery } = binary
  app.addHook('onClose', async () => {
    await deps.imagePool.close()
    await deps.keptImages.settled()
  })
  uploadContentRoutes(app, deps, binary.uploadSteps)
  const shown = { endpoint: binaryEndpoints.showImage, handler: delivery.show }
  bind(app, shown, (request, reply) => new ImageCall(request, reply), binary.imageSteps)

  handle(endpoints.createUpload, ({ tenantId, input, principal, actor, reply }) => {
    limits.announce(reply, principal, tenantId)
    return createUpload(deps, tenantId, input, actor)
  })
  handle(endpoints.listUploads, ({ tenantId, query }) => listUploads(deps, tenantId, query))
  handle(endpoints.getUpload, ({ tenantId, params }) => getUpload(deps, tenantId, params.id))
  handle(endpoints.deleteUpload, ({ tenantId, params, actor }) => deleteUpload(deps, tenantId, params.id, actor))

  handle(endpoints.listFiles, ({ tenantId, query }) => listFiles(deps, tenantId, query))
  handle(endpoints.getFile, ({ tenantId, params }) => getFile(deps, tenantId, params.id))
  handle(endpoints.deleteFile, ({ tenantId, params, actor }) => deleteFile(deps, tenantId, params.id, actor))
  handle(endpoints.signFile, ({ tenantId, params, body }) => signFile(deps, tenantId, params.id, body))

  handle(endpoints.previewTransformation, async ({ tenantId, input, request, reply }) => {
    const { mediaType, bytes } = await previewTransformation(
      deps,
      delivery.images,
      tenantId,
      input,
      request.headers.accept,
    )
    reply.header('content-security-policy', imagePolicy)
    return new Content(mediaType, bytes)
  })

  handle(endpoints.listMediaStatistics, ({ tenantId }) => readMediaStatistics(deps, tenantId))
  handle(endpoints.listFilesByDay, ({ tenantId }) => countMediaByDay(deps, tenantId, 'files_created'))
  handle(endpoints.listBytesByDay, ({ tenantId }) => countMediaByDay(deps, tenantId, 'file_bytes_created'))
  handle(endpoints.listUploadSizesByDay, async ({ tenantId }) => {
    const days = await countMediaByDay(deps, tenantId, 'file_bytes_created')
    return days.map(({ date, count }) => ({ date, size: count }))
  })
}
