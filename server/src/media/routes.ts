import { endpoints } from '@bailiwick/contract'
import type { Deps } from './deps.ts'
import { locate } from '../platform/http/locate.ts'
import { Content, type Router, route } from '../platform/http/route.ts'
import { uploadContentRoutes } from './content-routes.ts'
import { imageRoutes } from './delivery/delivery-routes.ts'
import { imagePolicy } from './delivery/image-headers.ts'
import { previewTransformation } from './delivery/preview.ts'
import { ProcessedImages } from './delivery/processed-image.ts'
import { signFile } from './delivery/sign-file.ts'
import { getFile, listFiles } from './files.ts'
import { countMediaByDay, readMediaStatistics } from './statistics.ts'
import { createUploadLimits } from './upload-limits.ts'
import { createUpload, deleteFile, deleteUpload, getUpload, listUploads } from './uploads.ts'

export function mediaRoutes(router: Router, deps: Deps) {
  const limits = createUploadLimits(deps)
  uploadContentRoutes(router.app, deps, limits)
  router.app.addHook('onClose', async () => {
    await deps.imagePool.close()
    await deps.keptImages.settled()
  })
  const images = new ProcessedImages(deps)
  imageRoutes(router.app, deps, images)

  route(router, endpoints.createUpload, async (call) => {
    const { tenantId, ...input } = call.body
    const entered = call.enter(tenantId)
    limits.announce(call.reply, call.principal, entered)
    return createUpload(deps, entered, input, call.actor)
  })

  route(router, endpoints.listUploads, async (call) => listUploads(deps, call.enter(call.params.tenantId), call.query))

  route(router, endpoints.getUpload, async (call) => {
    const { id } = call.params
    return getUpload(deps, call.enter(await locate(deps.db, call, 'media_uploads', id)), id)
  })

  route(router, endpoints.deleteUpload, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'media_uploads', id))
    return deleteUpload(deps, tenantId, id, call.actor)
  })

  route(router, endpoints.listFiles, async (call) => listFiles(deps, call.enter(call.params.tenantId), call.query))

  route(router, endpoints.getFile, async (call) => {
    const { id } = call.params
    return getFile(deps, call.enter(await locate(deps.db, call, 'media_files', id)), id)
  })

  route(router, endpoints.deleteFile, async (call) => {
    const { id } = call.params
    const tenantId = call.enter(await locate(deps.db, call, 'media_files', id))
    return deleteFile(deps, tenantId, id, call.actor)
  })

  route(router, endpoints.previewTransformation, async (call) => {
    const { tenantId, ...input } = call.body
    const { accept } = call.request.headers
    const { mediaType, bytes } = await previewTransformation(deps, images, call.enter(tenantId), input, accept)
    call.reply.header('content-security-policy', imagePolicy)
    return new Content(mediaType, bytes)
  })

  route(router, endpoints.signFile, async (call) => {
    const { id } = call.params
    return signFile(deps, call.enter(await locate(deps.db, call, 'media_files', id)), id, call.body)
  })

  route(router, endpoints.listMediaStatistics, async (call) =>
    readMediaStatistics(deps, call.enter(call.query.tenantId)),
  )

  route(router, endpoints.listFilesByDay, async (call) =>
    countMediaByDay(deps, call.enter(call.query.tenantId), 'files_created'),
  )

  route(router, endpoints.listBytesByDay, async (call) =>
    countMediaByDay(deps, call.enter(call.query.tenantId), 'file_bytes_created'),
  )
}
