import { endpoint } from '../../endpoint.ts'
import { pageOf, sample, samplePersonDetails } from '../../examples.ts'
import { array, boolean, object, oneOf, optional, page, pageQuery, plainId, text } from '../../schema.ts'
import { CreateConsoleUser, OwnTenant, TenantInvitation, TenantMember } from '../../shapes/identity/tenant-member.ts'
import { UserDetails } from '../../shapes/identity/user.ts'
import { Deployment } from '../../shapes/tenancy/deployment.ts'
import { environments } from '../../shapes/tenancy/tenant.ts'

const tag = 'Console users'
const params = object({ id: plainId() })
const idExample = { params: { id: sample.invitationId } }

export const getMeta = endpoint({
  id: 'getMeta',
  method: 'GET',
  path: '/meta',
  tag,
  summary: 'Read public facts about this deployment',
  permission: 'public',
  response: Deployment,
  errors: [],
  example: {
    response: {
      version: '0.1.0',
      environment: 'production',
      consolePublicKey: 'pk_live_4fXw0mQ7ZrB2sLk9TnVc5H',
      consoleSignUpEnabled: false,
    },
  },
})

export const createConsoleUser = endpoint({
  id: 'createConsoleUser',
  method: 'POST',
  path: '/console-users',
  tag,
  summary: 'Create an account at the console',
  description:
    'Only for the operator, even if sign-up at the console is closed. The e-mail address counts as verified. The new administrator is not yet a member of any tenant, and can create tenants.',
  permission: 'operator',
  alternative: 'invite the administrator to a tenant with POST /tenants/members/invite',
  body: CreateConsoleUser,
  response: UserDetails,
  errors: ['email_taken'],
  example: { body: { email: sample.email, name: 'Ada' }, response: { ...sample.user, ...samplePersonDetails } },
})

export const whoAmI = endpoint({
  id: 'whoAmI',
  method: 'GET',
  path: '/user/whoami',
  tag,
  summary: 'Read the administrator who is signed in',
  permission: 'console-user',
  response: UserDetails,
  errors: [],
  example: { response: { ...sample.user, ...samplePersonDetails } },
})

export const listOwnTenants = endpoint({
  id: 'listOwnTenants',
  method: 'GET',
  path: '/user/tenants',
  tag,
  summary: "List the caller's tenants, newest first, with what the caller can do in each",
  description:
    "For an administrator these are the tenants of which the administrator is a member, each with the administrator's nine flags in it; for the operator they are all tenants, for a key its own tenant. The operator and a secret key have all flags; those of an API key follow from its scopes. A change of the flags is visible within a second. `meta.total` counts at most 1,000 tenants; if there are more, it is 1,001.",
  permission: 'authenticated',
  query: object({
    ...pageQuery.properties,
    query: optional(text({ minLength: 1, maxLength: 100, description: 'Part of the name, slug or id' })),
    environment: optional(oneOf(environments)),
  }),
  response: page(OwnTenant),
  errors: [],
  example: { response: pageOf(sample.ownTenant) },
})

export const listOwnInvitations = endpoint({
  id: 'listOwnInvitations',
  method: 'GET',
  path: '/user/invitations',
  tag,
  summary: 'List the open invitations of the administrator who is signed in',
  description: 'Lists invitations to the verified e-mail addresses of the administrator, newest first, at most 100.',
  permission: 'console-user',
  response: array(TenantInvitation),
  errors: [],
  example: { response: [sample.invitation] },
})

export const acceptOwnInvitation = endpoint({
  id: 'acceptOwnInvitation',
  method: 'POST',
  path: '/user/invitations/{id}/accept',
  tag,
  summary: 'Accept an invitation',
  description: 'Makes the administrator a member of the tenant, with the flags that the invitation has at this moment.',
  permission: 'console-user',
  params,
  response: TenantMember,
  errors: ['not_found', 'member_exists'],
  example: { ...idExample, response: sample.member },
})

export const declineOwnInvitation = endpoint({
  id: 'declineOwnInvitation',
  method: 'POST',
  path: '/user/invitations/{id}/decline',
  tag,
  summary: 'Decline an invitation',
  permission: 'console-user',
  params,
  response: boolean(),
  errors: ['not_found'],
  example: { ...idExample, response: true },
})
