// The connections of an organization, as its own members manage them.
import { sample } from '../examples.ts'
import { array, object, pageQuery, plainId, shortListQuery, text } from '../schema.ts'
import {
  BegunConnectionTest,
  ConnectionCheck,
  ConnectionPreview,
  ConnectionTest,
} from '../shapes/enterprise/connection-test.ts'
import {
  Connection,
  CreateOrganizationConnection,
  UpdateOrganizationConnection,
} from '../shapes/enterprise/connection.ts'
import {
  CreateScimToken,
  GroupRule,
  GroupRules,
  GroupRulesPreview,
  ScimGroup,
  ScimLogEntry,
  ScimToken,
  ScimTokenWithToken,
} from '../shapes/enterprise/scim.ts'
import { frontendEndpoint, listExample, listOf } from './frontend-endpoint.ts'
import { idParams } from './shapes.ts'

const ids = { id: plainId(), connectionId: plainId({ description: 'The id of the connection' }) }
const connectionParams = object(ids)
const tokenParams = object({ ...ids, tokenId: plainId({ description: 'The id of the token' }) })

const params = { id: sample.organization.id }
const ofConnection = { params: { ...params, connectionId: sample.connection.id } }
const connection = { connection: sample.connection }
const baseUri = `https://id.example/t/${sample.connection.tenantId}/scim/${sample.connection.id}/v2`

const session = ['reauthentication_required', 'second_factor_required'] as const
const common = { tag: 'Connections of own organizations', session: 'required' } as const
const ofOne = { ...common, data: object({ connection: Connection }) } as const
const path = '/user/organizations/{id}/connections'
const onePath = `${path}/{connectionId}` as const
const rule =
  'Rules can give only roles that the user can assign, and rules for other roles stay as they are. The session must have been proven within the last hour.'

export const listOwnOrganizationConnections = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizationConnections',
  method: 'GET',
  path,
  summary: 'List the connections of an organization, newest first',
  description:
    'Like all operations on these connections, this requires the permission org:connections:manage, and that the tenant lets members manage connections (`organizationConnectionManagementEnabled`).',
  params: idParams,
  query: shortListQuery,
  data: listOf('connections', Connection),
  errors: session,
  example: { params, response: listExample('connections', sample.connection) },
})

export const createOwnOrganizationConnection = frontendEndpoint({
  ...ofOne,
  id: 'createOwnOrganizationConnection',
  method: 'POST',
  path,
  summary: "Connect an organization with its members' own identity provider",
  description: `The connection is a draft until a test has succeeded and its state is set to live. ${rule}`,
  params: idParams,
  body: CreateOrganizationConnection,
  errors: ['connection_limit_reached', ...session],
  example: {
    params,
    body: { type: 'oidc', name: 'Acme staff', oidc: { issuer: 'https://id.acme.example' } },
    response: connection,
  },
})

export const updateOwnOrganizationConnection = frontendEndpoint({
  ...ofOne,
  id: 'updateOwnOrganizationConnection',
  method: 'PUT',
  path: onePath,
  summary: 'Change a connection of an organization, or switch it on or off',
  description: `Properties that the body leaves out stay as they are. A new issuer or client id needs the client secret again. ${rule}`,
  params: connectionParams,
  body: UpdateOrganizationConnection,
  errors: ['connection_not_tested', ...session],
  example: { ...ofConnection, body: { state: 'live' }, response: connection },
})

export const deleteOwnOrganizationConnection = frontendEndpoint({
  ...ofOne,
  id: 'deleteOwnOrganizationConnection',
  method: 'DELETE',
  path: onePath,
  summary: 'Remove a connection of an organization',
  description: 'Nobody can sign in with it any more. Users, memberships and sessions stay.',
  params: connectionParams,
  errors: session,
  example: { ...ofConnection, response: connection },
})

export const checkOwnOrganizationConnection = frontendEndpoint({
  ...common,
  id: 'checkOwnOrganizationConnection',
  method: 'POST',
  path: `${onePath}/check`,
  summary: 'Check the metadata and the keys of the provider of a connection',
  description: 'The service asks the provider; nobody signs in and nothing is changed.',
  params: connectionParams,
  data: object({ check: ConnectionCheck }),
  errors: session,
  example: {
    ...ofConnection,
    response: {
      check: {
        problem: null,
        reason: null,
        authorizationEndpoint: 'https://id.acme.example/authorize',
        keys: 2,
        callbackUri: sample.connection.oidc.callbackUri,
      },
    },
  },
})

export const testOwnOrganizationConnection = frontendEndpoint({
  ...common,
  id: 'testOwnOrganizationConnection',
  method: 'POST',
  path: `${onePath}/test`,
  summary: 'Begin a test of a connection of an organization',
  description:
    'Returns an address that begins a sign-in at the provider, in any browser. It ends in a report: no account is created, and nobody is signed in.',
  params: connectionParams,
  data: object({ test: BegunConnectionTest }),
  errors: session,
  example: {
    ...ofConnection,
    response: {
      test: {
        authorizeUri: 'https://id.acme.example/authorize?client_id=bailiwick',
        expiresAt: sample.connection.createdAt,
      },
    },
  },
})

export const getOwnOrganizationConnectionTest = frontendEndpoint({
  ...common,
  id: 'getOwnOrganizationConnectionTest',
  method: 'GET',
  path: `${onePath}/test`,
  summary: 'Read the report of the last test of a connection',
  description: 'The report is kept for a day.',
  params: connectionParams,
  data: object({ test: ConnectionTest }),
  errors: session,
  example: {
    ...ofConnection,
    response: {
      test: {
        connectionId: sample.connection.id,
        state: 'open',
        report: null,
        createdAt: sample.connection.createdAt,
        expiresAt: sample.connection.createdAt,
      },
    },
  },
})

export const previewOwnOrganizationConnection = frontendEndpoint({
  ...common,
  id: 'previewOwnOrganizationConnection',
  method: 'GET',
  path: `${onePath}/preview`,
  summary: 'Count the members who can sign in only with the connection once it is required',
  description: 'Nothing is changed.',
  params: connectionParams,
  data: object({ preview: ConnectionPreview }),
  errors: session,
  example: {
    ...ofConnection,
    response: { preview: { members: 40, bound: 38, neverConnected: 1, neverConnectedUserIds: [sample.userId] } },
  },
})

export const getOwnOrganizationProvisioning = frontendEndpoint({
  ...common,
  id: 'getOwnOrganizationProvisioning',
  method: 'GET',
  path: `${onePath}/scim`,
  summary: 'Read the SCIM address, tokens and group rules of a connection',
  description: 'Tokens are listed without their secrets.',
  params: connectionParams,
  data: object({
    scim: object({
      baseUri: text({ description: 'The address that the directory calls' }),
      tokens: array(ScimToken, { description: 'The tokens that are not revoked; at most two' }),
      rules: array(GroupRule, { description: 'Which groups give which roles' }),
    }),
  }),
  errors: session,
  example: { ...ofConnection, response: { scim: { baseUri, tokens: [sample.scimToken], rules: [sample.groupRule] } } },
})

export const createOwnOrganizationScimToken = frontendEndpoint({
  ...common,
  id: 'createOwnOrganizationScimToken',
  method: 'POST',
  path: `${onePath}/scim/tokens`,
  summary: "Create a token for the organization's directory",
  description: 'The answer is the only place that ever shows the token. Two can be live at the same time.',
  params: connectionParams,
  body: CreateScimToken,
  data: object({ token: ScimTokenWithToken }),
  errors: ['scim_token_limit_reached', ...session],
  example: {
    ...ofConnection,
    body: { name: 'Okta' },
    response: {
      token: { ...sample.scimToken, token: 'scim_4kPq8Zr1vXw7Ls0Bd3Ny6Tc9Mf2Hg5Jj8Ka1Qe4Ru7Yi0Wo', baseUri },
    },
  },
})

export const deleteOwnOrganizationScimToken = frontendEndpoint({
  ...common,
  id: 'deleteOwnOrganizationScimToken',
  method: 'DELETE',
  path: `${onePath}/scim/tokens/{tokenId}`,
  summary: "Revoke a token of the organization's directory",
  description: 'The directory can no longer use it.',
  params: tokenParams,
  data: object({ token: ScimToken }),
  errors: session,
  example: {
    params: { ...ofConnection.params, tokenId: sample.scimToken.id },
    response: { token: sample.scimToken },
  },
})

export const listOwnOrganizationScimGroups = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizationScimGroups',
  method: 'GET',
  path: `${onePath}/scim/groups`,
  summary: "List the groups that the organization's directory has sent, newest first",
  description: 'A group gives a role only if a rule says so.',
  params: connectionParams,
  query: pageQuery,
  data: listOf('groups', ScimGroup),
  errors: session,
  example: { ...ofConnection, response: listExample('groups', sample.scimGroup) },
})

export const updateOwnOrganizationGroupRules = frontendEndpoint({
  ...common,
  id: 'updateOwnOrganizationGroupRules',
  method: 'PUT',
  path: `${onePath}/scim/rules`,
  summary: "Set which groups of the organization's directory give which roles",
  description: `The roles of present members change in the background. ${rule}`,
  params: connectionParams,
  body: GroupRules,
  data: GroupRules,
  errors: session,
  example: { ...ofConnection, body: { rules: [sample.groupRule] }, response: { rules: [sample.groupRule] } },
})

export const previewOwnOrganizationGroupRules = frontendEndpoint({
  ...common,
  id: 'previewOwnOrganizationGroupRules',
  method: 'POST',
  path: `${onePath}/scim/rules/preview`,
  summary: 'Show which members would have another role by other group rules',
  description:
    'Changes nothing, and refuses what cannot be saved. Looks at 10,000 members at most. The permission is enough: no recent proof is needed.',
  params: connectionParams,
  body: GroupRules,
  data: object({ preview: GroupRulesPreview }),
  errors: session,
  example: {
    ...ofConnection,
    body: { rules: [sample.groupRule] },
    response: { preview: { examined: 40, isComplete: true, changed: 0, members: [] } },
  },
})

export const listOwnOrganizationScimLog = frontendEndpoint({
  ...common,
  id: 'listOwnOrganizationScimLog',
  method: 'GET',
  path: `${onePath}/scim/log`,
  summary: 'List what a directory has changed and what was refused in the last 30 days, newest first',
  description: 'The list has neither reads that succeeded nor personal data.',
  params: connectionParams,
  query: pageQuery,
  data: listOf('entries', ScimLogEntry),
  errors: session,
  example: { ...ofConnection, response: listExample('entries', sample.scimLogEntry) },
})
