import { endpoint } from '../../endpoint.ts'
import { sample } from '../../examples.ts'
import { array, object, plainId } from '../../schema.ts'
import { CreateSetupLink, NewSetupLink, SetupLink } from '../../shapes/enterprise/setup-link.ts'

const tag = 'Enterprise connections'
const params = object({ organizationId: plainId() })
const tenant = { locates: 'organizations', by: 'params.organizationId' } as const
const { uri: _uri, ...sampleLink } = sample.setupLink

export const createSetupLink = endpoint({
  id: 'createSetupLink',
  method: 'POST',
  path: '/auth/organizations/{organizationId}/setup-links',
  tag,
  summary: "Create a link for the customer's administrator",
  description:
    "Opens hosted pages on which the administrator proves the organization's domains and connects its identity provider, without an account at the console. Each time the link is opened, a code is sent to the address. An organization can have at most 20 links. Needs `users:write` as well, because whoever runs the provider can sign in as every user with an address of the organization.",
  permission: 'organizations:write',
  tenant,
  params,
  body: CreateSetupLink,
  response: NewSetupLink,
  errors: ['not_found', 'setup_link_limit_reached'],
  example: {
    params: { organizationId: sample.organizationId },
    body: { email: sampleLink.email },
    response: sample.setupLink,
  },
})

export const listSetupLinks = endpoint({
  id: 'listSetupLinks',
  method: 'GET',
  path: '/auth/organizations/{organizationId}/setup-links',
  tag,
  summary: 'List the set-up links of an organization, newest first',
  permission: 'organizations:read',
  tenant,
  params,
  response: array(SetupLink),
  errors: ['not_found'],
  example: { params: { organizationId: sample.organizationId }, response: [sampleLink] },
})

export const deleteSetupLink = endpoint({
  id: 'deleteSetupLink',
  method: 'DELETE',
  path: '/auth/organizations/{organizationId}/setup-links/{id}',
  tag,
  summary: 'Revoke a set-up link',
  description: 'The link stops working at once, also for an administrator who has it open. What was set up stays.',
  permission: 'organizations:write',
  tenant,
  params: object({ organizationId: plainId(), id: plainId() }),
  response: SetupLink,
  errors: ['not_found'],
  example: { params: { organizationId: sample.organizationId, id: sampleLink.id }, response: sampleLink },
})
