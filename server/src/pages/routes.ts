// The hosted pages: every page with its method, path and handler.
import { showAccount } from './account.ts'
import { assetRoutes, sendBrand } from './assets.ts'
import { renderFailure } from './failures.ts'
import { notFound } from '../platform/http/api-error.ts'
import type { PageRouter } from './page-call.ts'
import { type PageRoute, bindPages } from './page-route.ts'
import { returnFromProvider } from './provider-return.ts'
import { answerAttemptOptions, continueSignIn, showLink, showSignIn } from './sign-in-attempt.ts'
import { answerPasskeyOptions, beginSignIn, openSignIn, signInByPasskey } from './sign-in-start.ts'

const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/sign-in', handler: openSignIn },
  { method: 'POST', path: '/sign-in', handler: beginSignIn },
  { method: 'POST', path: '/sign-in/passkey', handler: signInByPasskey },
  { method: 'POST', path: '/sign-in/passkey/options', handler: answerPasskeyOptions },
  { method: 'GET', path: '/sign-in/link', handler: showLink },
  { method: 'GET', path: '/sign-in/:id', handler: showSignIn },
  { method: 'POST', path: '/sign-in/:id', handler: continueSignIn },
  { method: 'POST', path: '/sign-in/:id/passkey/options', handler: answerAttemptOptions },
  { method: 'GET', path: '/return', handler: returnFromProvider },
  { method: 'GET', path: '/account', handler: showAccount },
  {
    method: 'GET',
    path: '/brand/:name',
    handler: (page) => sendBrand(page.tenant, page.parameter('name'), page.reply),
  },
]

/** Below `/t/{tenant}` alone: at the root of a host there is more than pages. */
const belowTenant: readonly PageRoute[] = [
  { method: 'GET', path: '/', handler: (page) => page.go(page.session === undefined ? '/sign-in' : '/account') },
  {
    method: 'GET',
    path: '/*',
    handler: () => {
      throw notFound()
    },
  },
]

/** @param isOwnHost of a Host header: whether it is the deployment's own. */
export function pageRoutes(router: PageRouter, isOwnHost: (host: string) => boolean) {
  const { app, deps } = router
  assetRoutes(app)
  bindPages(router, {
    routes,
    belowTenant,
    isOwnHost,
    renderFailure: (error, request, reply) => renderFailure(deps, error, request, reply),
  })
}
