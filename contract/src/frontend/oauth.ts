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
  redirectUri: nullableText({ description: 'Where the browser goes next; null where a device has been answered' }),
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
  summary: 'What an application asks the user for',
  description:
    "The authorization endpoint leads to the tenant's sign-in page with `?interaction={uid}`, and to the page for consent likewise. Without a session `isGranted` is false and `organizationId` is null.",
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
    'The browser goes to redirectUri next, which works once, in the browser that came from the application. Refused with `reauthentication_required` where the user has to sign in anew, and for who acts in the place of a user.',
  session: 'required',
  params: uidParams,
  data: next,
  errors: ['reauthentication_required'],
  example: { params: { uid }, response: redirect },
})

export const consentOAuthInteraction = frontendEndpoint({
  id: 'consentOAuthInteraction',
  method: 'POST',
  path: '/oauth/interactions/{uid}/consent',
  tag,
  summary: 'Allow an application what it asks for, or a part of it',
  description:
    'With organizationId the application acts for that organization, of which the user has to be a member. A scope that was not asked for is refused. openid is always allowed. A client that describes itself in a document becomes one of the tenant’s applications when the first user allows it something, which is refused with `application_limit_reached` where there are 200.',
  session: 'required',
  params: uidParams,
  body: object({
    scopes: array(text({ minLength: 1, maxLength: 256 }), { maxItems: 200 }),
    organizationId: optional(nullableText({ minLength: 1, maxLength: 256 })),
  }),
  data: next,
  errors: ['reauthentication_required', 'validation_failed', 'application_limit_reached'],
  example: { params: { uid }, body: { scopes: ['openid', 'profile'] }, response: redirect },
})

export const abortOAuthInteraction = frontendEndpoint({
  id: 'abortOAuthInteraction',
  method: 'POST',
  path: '/oauth/interactions/{uid}/abort',
  tag,
  summary: 'Go back to the application without access',
  description: 'The browser goes to redirectUri next, where the application learns that access was denied.',
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
    'Answers with an interaction whose consent or refusal the device gets. The user is always asked, whatever was allowed before. Case, spaces and hyphens do not matter.',
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
  summary: 'The applications with access to the account',
  description: 'Newest first.',
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
  summary: "Take an application's access back",
  description: 'Its refresh tokens and opaque access tokens end at once. A JWT is good until it expires.',
  session: 'required',
  params: idParams,
  data: object({ authorization: Authorization }),
  errors: [],
  example: { params: { id: sampleAuthorization.id }, response: { authorization: sampleAuthorization } },
})
