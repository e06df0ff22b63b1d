import { sample } from '../examples.ts'
import { integer, nullableText, object, shortListQuery } from '../schema.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { sampleJwt, sampleOwnSession, sampleSessionUser } from './examples.ts'
import { CreateToken, OwnSession, TokenAnswer, idParams } from './shapes.ts'

const tag = 'Own sessions'

export const listOwnSessions = frontendEndpoint({
  id: 'listOwnSessions',
  method: 'GET',
  path: '/user/sessions',
  tag,
  summary: 'The sessions of the user',
  description: 'Newest first; `current` marks the one of this request. Sessions that have ended are not listed.',
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
  description: "It is refused everywhere within a second. The user's other sessions continue.",
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
  summary: 'Sign out here',
  description:
    'Ends the session that asks and takes its cookie away. `ended` is 1, or 0 where it had ended a moment before. DELETE does the same.',
  session: 'required',
  data: object({ ended: integer() }),
  errors: [],
  example: { response: { ended: 1 } },
})

export const setActiveOrganization = frontendEndpoint({
  id: 'setActiveOrganization',
  method: 'PUT',
  path: '/user/sessions/organization',
  tag,
  summary: 'Choose the organization that this session acts for',
  description:
    'Tokens that are requested without orgId name it from then on, as long as the user is a member. null: they name none.',
  session: 'required',
  body: object({ organizationId: nullableText({ minLength: 1, maxLength: 256 }) }),
  data: object({ organizationId: nullableText() }),
  errors: [],
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
  summary: 'Sign out everywhere else',
  description: 'The session of this request continues. `ended` is the number of the other sessions.',
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
  summary: 'A short-lived JWT for resource servers',
  description:
    "Your own servers verify it with the tenant's key set, without asking here. It contains the user's role and permissions in the organization orgId; without orgId, in the one that the session acts for, and with null in none.",
  session: 'required',
  body: CreateToken,
  data: TokenAnswer,
  errors: [],
  example: { body: {}, response: { jwt: sampleJwt, sessionUser: sampleSessionUser } },
})
