// Binds the previews of the hosted pages that the console shows. What answers them is loaded by the first request, as with the pages.
import type { PageRouter } from '../call/page-call.ts'

const load = () => import('./preview.ts')

export function previewRoutes(router: PageRouter) {
  const { app } = router
  app.get<{ Params: { scheme: string } }>('/console/preview/schemes/:scheme', async ({ params }, reply) =>
    (await load()).sendScheme(params.scheme, reply),
  )
  app.get<{ Params: { tenantId: string; state: string } }>(
    '/console/preview/:tenantId/:state',
    async (request, reply) => (await load()).sendPreview(router, request, reply),
  )
}
