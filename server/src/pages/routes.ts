// The hosted pages: every page with its method, path and handler. The same methods and paths are in paths.ts.
import { accountRoutes } from './account/routes.ts'
import { answerConsent, openConsent } from './applications/consent.ts'
import { enterDeviceCode, openDevice } from './applications/device.ts'
import { continueAtApplication } from './applications/interaction.ts'
import { sendBrand } from './assets.ts'
import { notFound } from '../platform/http/api-error.ts'
import type { PageRoute } from './page-route.ts'
import { returnFromProvider } from './provider-return.ts'
import { answerInvitation, openInvitation, showAccepted, showDeclined } from './invitation.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { beginReset, changePassword, finishReset, openReset, showReset, showResetDone } from './reset-password.ts'
import { openSignOut, signOut } from './sign-out.ts'
import { beginSignUp, continueSignUp, openSignUp, showSignUp, showSignUpLink } from './sign-up.ts'
import { answerAttemptOptions, continueSignIn, showLink, showSignIn } from './sign-in-attempt.ts'
import { answerPasskeyOptions, beginSignIn, openSignIn, signInByPasskey } from './sign-in-start.ts'

export const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/sign-in', handler: openSignIn },
  { method: 'POST', path: '/sign-in', handler: beginSignIn },
  { method: 'POST', path: '/sign-in/passkey', handler: signInByPasskey },
  { method: 'POST', path: '/sign-in/passkey/options', handler: answerPasskeyOptions },
  { method: 'GET', path: '/sign-in/link', handler: showLink },
  { method: 'GET', path: '/sign-in/:id', handler: showSignIn },
  { method: 'POST', path: '/sign-in/:id', handler: continueSignIn },
  { method: 'POST', path: '/sign-in/:id/passkey/options', handler: answerAttemptOptions },
  { method: 'GET', path: '/sign-up', handler: openSignUp },
  { method: 'POST', path: '/sign-up', handler: beginSignUp },
  { method: 'GET', path: '/sign-up/link', handler: showSignUpLink },
  { method: 'GET', path: '/sign-up/:id', handler: showSignUp },
  { method: 'POST', path: '/sign-up/:id', handler: continueSignUp },
  { method: 'GET', path: '/reset-password', handler: openReset },
  { method: 'POST', path: '/reset-password', handler: beginReset },
  { method: 'GET', path: '/reset-password/done', handler: showResetDone },
  { method: 'GET', path: '/reset-password/:id', handler: showReset },
  { method: 'POST', path: '/reset-password/:id', handler: finishReset },
  { method: 'GET', path: '/invitation', handler: openInvitation },
  { method: 'POST', path: '/invitation', handler: answerInvitation },
  { method: 'GET', path: '/invitation/accepted', handler: showAccepted },
  { method: 'GET', path: '/invitation/declined', handler: showDeclined },
  { method: 'GET', path: '/continue', handler: continueAtApplication },
  { method: 'GET', path: '/consent', handler: openConsent },
  { method: 'POST', path: '/consent', handler: answerConsent },
  { method: 'GET', path: '/device', handler: openDevice },
  { method: 'POST', path: '/device', handler: enterDeviceCode },
  ...organizationRoutes,
  { method: 'GET', path: '/sign-out', handler: openSignOut },
  { method: 'POST', path: '/sign-out', handler: signOut },
  // https://w3c.github.io/webappsec-change-password-url/
  { method: 'GET', path: '/.well-known/change-password', handler: changePassword },
  { method: 'GET', path: '/return', handler: returnFromProvider },
  ...accountRoutes,
  {
    method: 'GET',
    path: '/brand/:name',
    handler: (page) => sendBrand(page.tenant, page.parameter('name'), page.reply),
  },
]

/** Pages only below `/t/{tenant}`, because the root of a host serves more than pages. */
export const belowTenant: readonly PageRoute[] = [
  { method: 'GET', path: '/', handler: (page) => page.go(page.session === undefined ? '/sign-in' : '/account') },
  {
    method: 'GET',
    path: '/*',
    handler: () => {
      throw notFound()
    },
  },
]
