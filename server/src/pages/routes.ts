// The hosted pages: every page with its method, path and handler. A page's code is loaded by the first request for it, because all pages
// together are an eighth of what a start would load; so no page is imported here by name.
import { notFound } from '../platform/http/api-error.ts'
import { accountRoutes } from './account/routes.ts'
import { type PageRoute, get, post } from './call/page-route.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { setupRoutes } from './setup/routes.ts'

const signInStart = () => import('./sign-in/sign-in-start.ts')
const signInAttempt = () => import('./sign-in/sign-in-attempt.ts')
const arrival = () => import('./sign-in/arrival.ts')
const passkeyOffer = () => import('./sign-in/passkey-offer.ts')
const signUp = () => import('./sign-up/sign-up.ts')
const waitlist = () => import('./sign-up/waitlist.ts')
const resetPassword = () => import('./sign-in/reset-password.ts')
const secureAccount = () => import('./sign-in/secure-account.ts')
const invitation = () => import('./sign-up/invitation.ts')
const interaction = () => import('./applications/interaction.ts')
const consent = () => import('./applications/consent.ts')
const device = () => import('./applications/device.ts')
const accounts = () => import('./sign-in/accounts.ts')
const signOut = () => import('./sign-in/sign-out.ts')
const providerReturn = () => import('./sign-in/provider-return.ts')
const verifyAgain = () => import('./sign-in/verify-again.ts')
const passkeyFiles = () => import('./passkey-files.ts')
const assets = () => import('./assets.ts')

export const routes: readonly PageRoute[] = [
  get('/sign-in', async () => (await signInStart()).openSignIn),
  post('/sign-in', async () => (await signInStart()).beginSignIn),
  post('/sign-in/passkey', async () => (await signInStart()).signInByPasskey),
  post('/sign-in/passkey/options', async () => (await signInStart()).answerPasskeyOptions),
  get('/sign-in/link', async () => (await signInAttempt()).showLink),
  get('/sign-in/arrival', async () => (await arrival()).openArrival),
  post('/sign-in/arrival', async () => (await arrival()).confirmArrivalHere),
  get('/sign-in/:id', async () => (await signInAttempt()).showSignIn),
  post('/sign-in/:id', async () => (await signInAttempt()).continueSignIn),
  post('/sign-in/:id/passkey/options', async () => (await signInAttempt()).answerAttemptOptions),
  get('/accounts', async () => (await accounts()).openAccounts),
  post('/accounts/:id/switch', async () => (await accounts()).switchAccount),
  post('/accounts/:id/end', async () => (await accounts()).endAccount),
  post('/sign-in/:id/passkey-offer', async () => (await passkeyOffer()).answerOffer),
  post('/sign-in/:id/passkey-offer/options', async () => (await passkeyOffer()).answerOfferOptions),
  get('/sign-up', async () => (await signUp()).openSignUp),
  post('/sign-up', async () => (await signUp()).beginSignUp),
  get('/sign-up/link', async () => (await signUp()).showSignUpLink),
  get('/sign-up/:id', async () => (await signUp()).showSignUp),
  post('/sign-up/:id', async () => (await signUp()).continueSignUp),
  get('/waitlist', async () => (await waitlist()).openWaitlist),
  post('/waitlist', async () => (await waitlist()).joinWaitlistHere),
  get('/waitlist/joined', async () => (await waitlist()).showJoined),
  get('/reset-password', async () => (await resetPassword()).openReset),
  post('/reset-password', async () => (await resetPassword()).beginReset),
  get('/reset-password/done', async () => (await resetPassword()).showResetDone),
  get('/reset-password/:id', async () => (await resetPassword()).showReset),
  post('/reset-password/:id', async () => (await resetPassword()).finishReset),
  get('/secure-account', async () => (await secureAccount()).openSecureAccount),
  post('/secure-account', async () => (await secureAccount()).secureAccount),
  get('/secure-account/done', async () => (await secureAccount()).showSecured),
  get('/invitation', async () => (await invitation()).openInvitation),
  post('/invitation', async () => (await invitation()).answerInvitation),
  get('/invitation/accepted', async () => (await invitation()).showAccepted),
  get('/invitation/declined', async () => (await invitation()).showDeclined),
  get('/continue', async () => (await interaction()).continueAtApplication),
  get('/consent', async () => (await consent()).openConsent),
  post('/consent', async () => (await consent()).answerConsent),
  get('/device', async () => (await device()).openDevice),
  post('/device', async () => (await device()).enterDeviceCode),
  ...organizationRoutes,
  ...setupRoutes,
  get('/verify', async () => (await verifyAgain()).openVerify),
  post('/verify', async () => (await verifyAgain()).beginVerify),
  get('/sign-out', async () => (await signOut()).openSignOut),
  post('/sign-out', async () => (await signOut()).signOut),
  // https://w3c.github.io/webappsec-change-password-url/
  get('/.well-known/change-password', async () => (await resetPassword()).changePassword),
  get('/.well-known/webauthn', async () => (await passkeyFiles()).showRelatedOrigins),
  get('/.well-known/passkey-endpoints', async () => (await passkeyFiles()).showPasskeyEndpoints),
  get('/return', async () => (await providerReturn()).returnFromProvider),
  ...accountRoutes,
  get('/brand/:name', async () => {
    const { sendBrand } = await assets()
    return (page) => sendBrand(page.tenant, page.parameter('name'), page.reply)
  }),
]

/** Pages only below `/t/{tenant}`, because the root of a host serves more than pages. */
export const belowTenant: readonly PageRoute[] = [
  get('/', async () => (page) => page.go(page.session === undefined ? '/sign-in' : '/account')),
  get('/*', async () => () => {
    throw notFound()
  }),
]
