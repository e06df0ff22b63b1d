// What a signed-in user, and the page that signs a user in, has to do with applications: the interactions that the authorization endpoint
// leads to, devices that wait for a code, and the applications with access to the account.
import { array, nullableText, object, optional, shortListQuery, text } from '../schema.ts'
import { sampleAuthorization, sampleShownApplication } from './examples.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { Authorization, OAuthInteraction } from './oauth-shapes.ts'
import { idParams } from './shapes.ts'

const tag = 'Applications'

const uidParams = object({ uid: text({ minLength: 1, maxLength: 128 }) })
const next = object({
  redirectUri: nullableText({
    description: 'The URL to which the browser must go next; null if the interaction belongs to a device',
  }),
})

const uid = 'n5TgK1MaBkvCyRlpxHu7Y0q2XwZsDfEo'
const interaction = {
  uid,
  prompt: 'login',
  application: sampleShownApplication,
  scopes: [{ name: 'openid', description: null, resource: null, isGranted: false }],
  resources: [],
  organizationId: null,
  isOrganizationRequested: false,
  mustSignInAnew: false,
  mustChooseAccount: false,
  isAnotherAccountWanted: false,
  prefersSignUp: false,
  maxAgeSeconds: null,
  acrValues: [],
  loginHint: null,
  uiLocales: [],
  isDevice: false,
  expiresAt: '2026-11-21T09:30:00.000000Z',
}
const redirect = { redirectUri: `https://id.acme.example/oauth/authorize/${uid}?ticket=in_…` }

export const getOAuthInteraction = frontendEndpoint({
  id: 'getOAuthInteraction',
  method: 'GET',
  path: '/oauth/interactions/{uid}',
  tag,
  summary: 'Read what an application requests from the user',
  description:
    "The authorization endpoint redirects to the tenant's sign-in or consent page with `?interaction={uid}`. Without a session `isGranted` is false and `organizationId` is null.",
  session: 'optional',
  params: uidParams,
  data: object({ interaction: OAuthInteraction }),
  errors: [],
  example: { params: { uid }, response: { interaction } },
})

export const loginOAuthInteraction = frontendEndpoint({
  id: 'loginOAuthInteraction',
  method: 'POST',
  path: '/oauth/interactions/{uid}/login',
  tag,
  summary: 'Continue as the signed-in user',
  description:
    'The browser must go to redirectUri next, which works once, in the browser that came from the application. Refused with `reauthentication_required` if the user must sign in again, or is being impersonated.',
  session: 'required',
  params: uidParams,
  data: next,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { params: { uid }, response: redirect },
})

export const consentOAuthInteraction = frontendEndpoint({
  id: 'consentOAuthInteraction',
  method: 'POST',
  path: '/oauth/interactions/{uid}/consent',
  tag,
  summary: 'Allow an application all or part of what it requests',
  description:
    'With organizationId the application acts for that organization; the user must be a member of it. A scope that was not requested is refused. openid is always allowed. A client with a metadata document becomes one of the tenant’s applications when the first user allows it something; if the tenant already has 200 applications, this is refused with `application_limit_reached`.',
  session: 'required',
  params: uidParams,
  body: object({
    scopes: array(text({ minLength: 1, maxLength: 256 }), { maxItems: 200 }),
    organizationId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  }),
  data: next,
  errors: ['application_limit_reached', 'reauthentication_required', 'second_factor_required', 'validation_failed'],
  example: { params: { uid }, body: { scopes: ['openid', 'profile'] }, response: redirect },
})

export const abortOAuthInteraction = frontendEndpoint({
  id: 'abortOAuthInteraction',
  method: 'POST',
  path: '/oauth/interactions/{uid}/abort',
  tag,
  summary: 'Deny the application access',
  description: 'The browser must go to redirectUri next, which tells the application that access was denied.',
  session: 'optional',
  params: uidParams,
  data: next,
  errors: [],
  example: { params: { uid }, response: redirect },
})

export const findOAuthDevice = frontendEndpoint({
  id: 'findOAuthDevice',
  method: 'POST',
  path: '/oauth/devices',
  tag,
  summary: 'Enter the code that a device shows',
  description:
    'Returns an interaction; the device gets its result. The user is always asked, even if the same was allowed before. The code is not case-sensitive, and spaces and hyphens are ignored.',
  session: 'required',
  body: object({ userCode: text({ minLength: 1, maxLength: 32 }) }),
  data: object({ interaction: OAuthInteraction }),
  errors: ['reauthentication_required'],
  example: {
    body: { userCode: 'WDJB-MJHT' },
    response: { interaction: { ...interaction, prompt: 'consent', isDevice: true } },
  },
})

export const listOwnAuthorizations = frontendEndpoint({
  id: 'listOwnAuthorizations',
  method: 'GET',
  path: '/user/authorizations',
  tag,
  summary: 'List the applications with access to the account',
  description: 'Lists the newest first.',
  session: 'required',
  query: shortListQuery,
  data: listOf('authorizations', Authorization),
  errors: [],
  example: { response: listExample('authorizations', sampleAuthorization) },
})

export const deleteOwnAuthorization = frontendEndpoint({
  id: 'deleteOwnAuthorization',
  method: 'DELETE',
  path: '/user/authorizations/{id}',
  tag,
  summary: "Revoke an application's access",
  description: 'Its refresh tokens and opaque access tokens end at once. A JWT remains valid until it expires.',
  session: 'required',
  params: idParams,
  data: object({ authorization: Authorization }),
  errors: [],
  example: { params: { id: sampleAuthorization.id }, response: { authorization: sampleAuthorization } },
})
