import { sample } from '../../examples.ts'
import { integer, nullableText, object, optional, shortListQuery, text } from '../../schema.ts'
import { sampleJwt, sampleOwnSession, sampleSessionUser } from '../examples.ts'
import { frontendEndpoint, listExample, listOf } from '../frontend-endpoint.ts'
import { CreateToken, OwnSession, TokenAnswer, idParams } from '../shapes.ts'

const tag = 'Own sessions'

export const listOwnSessions = frontendEndpoint({
  id: 'listOwnSessions',
  method: 'GET',
  path: '/user/sessions',
  tag,
  summary: 'List the sessions of the user',
  description:
    'Lists the newest first; `current` marks the session of this request. Sessions that have ended are not listed.',
  session: 'required',
  query: shortListQuery,
  data: listOf('sessions', OwnSession),
  errors: [],
  example: { response: listExample('sessions', sampleOwnSession) },
})

export const deleteOwnSession = frontendEndpoint({
  id: 'deleteOwnSession',
  method: 'DELETE',
  path: '/user/sessions/{id}',
  tag,
  summary: 'End one of the sessions of the user',
  description: "Every node refuses it within a second. The user's other sessions continue.",
  session: 'required',
  params: idParams,
  data: object({ session: OwnSession }),
  errors: [],
  example: { params: { id: sample.session.id }, response: { session: sampleOwnSession } },
})

export const endOwnSessions = frontendEndpoint({
  id: 'endOwnSessions',
  method: 'POST',
  alsoAs: ['DELETE'],
  path: '/user/sessions/end',
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of this request and removes its cookie. `ended` is 1, or 0 if the session had already ended. DELETE does the same. `providerSignOutUri` is there for users who have signed in with a SAML connection that has single logout: a browser that goes there signs out at the provider as well, and returns to `redirectUri`.',
  session: 'required',
  isBodyOptional: true,
  body: object({
    redirectUri: optional(
      text({
        maxLength: 2048,
        format: 'redirect-uri',
        description:
          "Where the browser returns from the provider: one of the URLs in the tenant's sign-in rules. Default: `logoutRedirectUri`, else the hosted page",
      }),
    ),
  }),
  data: object({
    ended: integer(),
    providerSignOutUri: optional(
      text({ description: "Where the browser signs out at the provider of the user's organization" }),
    ),
  }),
  errors: ['redirect_refused'],
  example: { body: { redirectUri: 'https://app.acme.example/' }, response: { ended: 1 } },
})

export const setActiveOrganization = frontendEndpoint({
  id: 'setActiveOrganization',
  method: 'PUT',
  path: '/user/sessions/organization',
  tag,
  summary: 'Choose the organization for which this session acts',
  description:
    'Tokens that are requested without orgId then name this organization, as long as the user is a member. null: they name no organization.',
  session: 'required',
  body: object({ organizationId: nullableText({ minLength: 1, maxLength: 256 }) }),
  data: object({ organizationId: nullableText() }),
  errors: ['reauthentication_required', 'second_factor_required'],
  example: {
    body: { organizationId: sample.organization.id },
    response: { organizationId: sample.organization.id },
  },
})

export const endOtherOwnSessions = frontendEndpoint({
  id: 'endOtherOwnSessions',
  method: 'POST',
  path: '/user/sessions/end-others',
  tag,
  summary: 'Sign out of all other sessions',
  description: 'The session of this request continues. `ended` is the number of sessions that were ended.',
  session: 'required',
  data: object({ ended: integer() }),
  errors: [],
  example: { response: { ended: 2 } },
})

export const createOwnToken = frontendEndpoint({
  id: 'createOwnToken',
  method: 'POST',
  path: '/user/sessions/token',
  tag,
  summary: 'Create a short-lived JWT for resource servers',
  description:
    "Your servers verify it with the tenant's key set, without a request to this service. It contains the user's role and permissions in the organization orgId; without orgId, in the one for which the session acts; with null, in none.",
  session: 'required',
  body: CreateToken,
  data: TokenAnswer,
  errors: ['reauthentication_required', 'second_factor_required'],
  example: { body: {}, response: { jwt: sampleJwt, sessionUser: sampleSessionUser } },
})
