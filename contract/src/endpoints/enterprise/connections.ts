import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId, recordBasis } from '../../schema.ts'
import {
  BegunConnectionTest,
  ConnectionCheck,
  ConnectionPreview,
  ConnectionTest,
} from '../../shapes/enterprise/connection-test.ts'
import { Connection, CreateConnection, UpdateConnection, UserConnection } from '../../shapes/enterprise/connection.ts'

const tag = 'Enterprise connections'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.connection.id } }
const usersToo =
  ' Needs `users:write` as well, because whoever runs the provider can sign in as every user with an address of the organization.'

export const createConnection = endpoint({
  id: 'createConnection',
  method: 'POST',
  path: '/auth/connections',
  tag,
  summary: "Connect an organization with its members' own identity provider",
  description: `The connection is a draft until a test has succeeded and its state is set to live. An organization can have at most 20 connections.${usersToo}`,
  permission: 'organizations:write',
  tenant: { locates: 'organizations', by: 'body.organizationId' },
  body: CreateConnection,
  response: Connection,
  errors: ['not_found', 'connection_limit_reached'],
  example: {
    body: {
      organizationId: sample.organizationId,
      type: 'oidc',
      name: 'Acme staff',
      oidc: { issuer: 'https://id.acme.example', clientId: 'bailiwick', clientSecret: 'kept sealed' },
      roleRules: [{ claim: 'groups', value: 'admins', roleId: sample.roleId }],
    },
    response: sample.connection,
  },
})

export const listConnectionsOfOrganization = endpoint({
  id: 'listConnectionsOfOrganization',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/connections',
  tag,
  summary: 'List the connections of an organization, newest first',
  permission: 'organizations:read',
  tenant: { locates: 'organizations', by: 'params.organizationId' },
  params: object({ organizationId: plainId() }),
  response: array(Connection),
  errors: ['not_found'],
  example: { params: { organizationId: sample.organizationId }, response: [sample.connection] },
})

export const getConnection = endpoint({
  id: 'getConnection',
  method: 'GET',
  path: '/auth/connections/{id}',
  tag,
  summary: 'Read a connection',
  permission: 'organizations:read',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: Connection,
  errors: ['not_found'],
  example: { ...idExample, response: sample.connection },
})

export const updateConnection = endpoint({
  id: 'updateConnection',
  method: 'PUT',
  path: '/auth/connections/{id}',
  tag,
  summary: 'Change a connection',
  description: `Properties that the body leaves out stay as they are. A new issuer or client id needs the client secret again, because it would be sent there. The issuer cannot change once somebody has signed in.${usersToo}`,
  permission: 'organizations:write',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  query: object(recordBasis),
  body: UpdateConnection,
  isBodyExact: true,
  response: Connection,
  errors: ['not_found', 'changed_meanwhile', 'connection_not_tested'],
  example: { ...idExample, body: { state: 'live' }, response: { ...sample.connection, state: 'live' } },
})

export const deleteConnection = endpoint({
  id: 'deleteConnection',
  method: 'DELETE',
  path: '/auth/connections/{id}',
  tag,
  summary: 'Remove a connection',
  description: `Nobody can sign in with it any more. Users, memberships and sessions stay.${usersToo}`,
  permission: 'organizations:write',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: Connection,
  errors: ['not_found'],
  example: { ...idExample, response: sample.connection },
})

export const checkConnection = endpoint({
  id: 'checkConnection',
  method: 'POST',
  path: '/auth/connections/{id}/check',
  tag,
  summary: 'Check the metadata and the keys of the provider of a connection',
  description: 'Fetches them again and reports what is wrong with them, if anything.',
  permission: 'organizations:write',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: ConnectionCheck,
  errors: ['not_found'],
  example: {
    ...idExample,
    response: {
      problem: null,
      reason: null,
      authorizationEndpoint: 'https://id.acme.example/authorize',
      keys: 2,
      callbackUri: sample.connection.oidc.callbackUri,
    },
  },
})

export const testConnection = endpoint({
  id: 'testConnection',
  method: 'POST',
  path: '/auth/connections/{id}/test',
  tag,
  summary: 'Begin a test of a connection',
  description: `Returns an address at which an administrator of the organization signs in, in any browser. That ends in a report of the claims and of what a sign-in would do; nothing is made and nobody is signed in. Once a test has succeeded, the connection can go live. A newer test replaces the one before.${usersToo}`,
  permission: 'organizations:write',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: BegunConnectionTest,
  errors: ['not_found'],
  example: {
    ...idExample,
    response: {
      authorizeUri: 'https://id.acme.example/authorize?client_id=bailiwick',
      expiresAt: sample.connection.createdAt,
    },
  },
})

export const getConnectionTest = endpoint({
  id: 'getConnectionTest',
  method: 'GET',
  path: '/auth/connections/{id}/test',
  tag,
  summary: 'Read the report of the last test of a connection',
  description: 'The report is kept for a day.',
  permission: 'users:read',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: ConnectionTest,
  errors: ['not_found'],
  example: {
    ...idExample,
    response: {
      connectionId: sample.connection.id,
      state: 'open',
      report: null,
      createdAt: sample.connection.createdAt,
      expiresAt: sample.connection.createdAt,
    },
  },
})

export const previewConnection = endpoint({
  id: 'previewConnection',
  method: 'GET',
  path: '/auth/connections/{id}/preview',
  tag,
  summary: 'Count the members who can sign in only with the connection once it is required',
  permission: 'users:read',
  tenant: { locates: 'connections', by: 'params.id' },
  params,
  response: ConnectionPreview,
  errors: ['not_found'],
  example: {
    ...idExample,
    response: { members: 40, bound: 38, neverConnected: 1, neverConnectedUserIds: [sample.userId] },
  },
})

export const listConnectionsOfUser = endpoint({
  id: 'listConnectionsOfUser',
  method: 'GET',
  path: '/auth/users/{userId}/connections',
  tag,
  summary: 'List the connections of organizations with which a user has signed in, newest first',
  description: 'Returns at most 100.',
  permission: 'users:read',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId() }),
  response: array(UserConnection),
  errors: ['not_found'],
  example: { params: { userId: sample.userId }, response: [sample.userConnection] },
})

export const deleteConnectionOfUser = endpoint({
  id: 'deleteConnectionOfUser',
  method: 'DELETE',
  path: '/auth/users/{userId}/connections/{id}',
  tag,
  summary: 'Forget who a user is at a connection',
  description:
    'The next sign-in with the connection links by the verified address again. Needed where the provider now identifies the same person by another subject.',
  permission: 'users:write',
  tenant: { locates: 'users', by: 'params.userId' },
  params: object({ userId: plainId(), id: plainId() }),
  response: UserConnection,
  errors: ['not_found'],
  example: {
    params: { userId: sample.userId, id: sample.connection.id },
    response: sample.userConnection,
  },
})
