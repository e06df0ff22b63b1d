// What the service answers outside its two interfaces: the authorization server, the hosted pages, the console, the documentation and the inbox of
// development.
import { authorizationServerRoutes } from '../applications/engine/routes.ts'
import { protectedResourceRoutes } from '../applications/engine/tokens/protected-resource.ts'
import { universalLogoutRoutes } from '../enterprise/universal-logout/routes.ts'
import { samlRoutes } from '../flows/social-sign-in/saml-routes.ts'
import { devInboxRoutes } from '../messaging/notifications/inbox/dev-inbox-routes.ts'
import { pageRoutes } from './binding.ts'
import type { PageRouter } from './call/page-call.ts'
import { consoleRoutes } from './console/binding.ts'
import { docsRoutes } from './docs/binding.ts'
import { drawEnginePages, failOutsideTenant } from './engine-binding.ts'
import { previewRoutes } from './preview/binding.ts'

/** @param isOwnHost says of a Host header whether it names the deployment itself. */
export function bindSite(router: PageRouter, isOwnHost: (host: string) => boolean) {
  const { app, deps } = router
  devInboxRoutes(app, deps)
  authorizationServerRoutes(app, deps, isOwnHost, drawEnginePages, failOutsideTenant)
  samlRoutes(app, deps, failOutsideTenant)
  universalLogoutRoutes(app, deps)
  protectedResourceRoutes(app, deps.config)
  pageRoutes(router, isOwnHost)
  consoleRoutes(app, deps)
  docsRoutes(app)
  previewRoutes(router)
}
