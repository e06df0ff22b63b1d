import { endpoint } from '../../endpoint.ts'
import { pageOf, sample } from '../../examples.ts'
import { array, object, page, pageQuery, plainId } from '../../schema.ts'
import {
  CreateScimToken,
  GroupRules,
  GroupRulesPreview,
  ScimGroup,
  ScimLogEntry,
  ScimToken,
  ScimTokenWithToken,
} from '../../shapes/enterprise/scim.ts'

const tag = 'Enterprise connections'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.connection.id } }
const usersToo = ' Needs `users:write` as well, because the directory creates and suspends users.'
const ofConnection = { locates: 'connections', by: 'params.id' } as const

export const createScimToken = endpoint({
  id: 'createScimToken',
  method: 'POST',
  path: '/auth/connections/{id}/scim-tokens',
  tag,
  summary: 'Create a token with which the directory of an organization provisions its members',
  description: `The answer is the only place that ever shows the token. Two can be live at the same time.${usersToo}`,
  permission: 'organizations:write',
  tenant: ofConnection,
  params,
  body: CreateScimToken,
  response: ScimTokenWithToken,
  errors: ['not_found', 'scim_token_limit_reached'],
  example: {
    ...idExample,
    body: { name: 'Okta' },
    response: {
      ...sample.scimToken,
      token: 'scim_4kPq8Zr1vXw7Ls0Bd3Ny6Tc9Mf2Hg5Jj8Ka1Qe4Ru7Yi0Wo',
      baseUri: `https://id.example/t/${sample.connection.tenantId}/scim/${sample.connection.id}/v2`,
    },
  },
})

export const listScimTokens = endpoint({
  id: 'listScimTokens',
  method: 'GET',
  path: '/auth/connections/{id}/scim-tokens',
  tag,
  summary: 'List the SCIM tokens of a connection that are not revoked',
  permission: 'organizations:read',
  tenant: ofConnection,
  params,
  response: array(ScimToken),
  errors: ['not_found'],
  example: { ...idExample, response: [sample.scimToken] },
})

export const deleteScimToken = endpoint({
  id: 'deleteScimToken',
  method: 'DELETE',
  path: '/auth/connections/{id}/scim-tokens/{tokenId}',
  tag,
  summary: 'Revoke a SCIM token',
  description: `It is refused from then on, at every node.${usersToo}`,
  permission: 'organizations:write',
  tenant: ofConnection,
  params: object({ id: plainId(), tokenId: plainId({ description: 'The id of the token' }) }),
  response: ScimToken,
  errors: ['not_found'],
  example: { params: { ...idExample.params, tokenId: sample.scimToken.id }, response: sample.scimToken },
})

export const listScimGroups = endpoint({
  id: 'listScimGroups',
  method: 'GET',
  path: '/auth/connections/{id}/scim-groups',
  tag,
  summary: 'List the groups that a directory has sent, newest first',
  permission: 'organizations:read',
  tenant: ofConnection,
  params,
  query: pageQuery,
  response: page(ScimGroup),
  errors: ['not_found'],
  example: {
    ...idExample,
    response: pageOf(sample.scimGroup),
  },
})

export const getGroupRules = endpoint({
  id: 'getGroupRules',
  method: 'GET',
  path: '/auth/connections/{id}/group-rules',
  tag,
  summary: 'Read which groups of a directory give which roles',
  permission: 'organizations:read',
  tenant: ofConnection,
  params,
  response: GroupRules,
  errors: ['not_found'],
  example: { ...idExample, response: { rules: [sample.groupRule] } },
})

export const updateGroupRules = endpoint({
  id: 'updateGroupRules',
  method: 'PUT',
  path: '/auth/connections/{id}/group-rules',
  tag,
  summary: 'Set which groups of a directory give which roles',
  description: `Only these rules give roles to members that a directory provisions; a directory cannot name a role. The roles of present members change in the background. The last member who can manage the organization keeps the role.${usersToo}`,
  permission: 'organizations:write',
  tenant: ofConnection,
  params,
  body: GroupRules,
  isBodyExact: true,
  response: GroupRules,
  errors: ['not_found'],
  example: { ...idExample, body: { rules: [sample.groupRule] }, response: { rules: [sample.groupRule] } },
})

export const previewGroupRules = endpoint({
  id: 'previewGroupRules',
  method: 'POST',
  path: '/auth/connections/{id}/group-rules/preview',
  tag,
  summary: 'Show which members would have another role by other group rules',
  description: 'Changes nothing. Looks at 10,000 members at most.',
  permission: 'organizations:read',
  tenant: ofConnection,
  params,
  body: GroupRules,
  isBodyExact: true,
  response: GroupRulesPreview,
  errors: ['not_found'],
  example: {
    ...idExample,
    body: { rules: [sample.groupRule] },
    response: {
      examined: 1,
      isComplete: true,
      changed: 1,
      members: [
        {
          memberId: sample.organizationMember.id,
          userId: sample.organizationMember.userId,
          roleId: null,
          newRoleId: sample.groupRule.roleId,
        },
      ],
    },
  },
})

export const listScimLog = endpoint({
  id: 'listScimLog',
  method: 'GET',
  path: '/auth/connections/{id}/scim-log',
  tag,
  summary: 'List what a directory has changed and what was refused in the last 30 days, newest first',
  description: 'The list has neither reads that succeeded nor personal data.',
  permission: 'organizations:read',
  tenant: ofConnection,
  params,
  query: pageQuery,
  response: page(ScimLogEntry),
  errors: ['not_found'],
  example: {
    ...idExample,
    response: pageOf(sample.scimLogEntry),
  },
})
