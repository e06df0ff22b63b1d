import {
  CreateOrganization,
  CreateOrganizationMember,
  type SignInStrategy,
  UpdateOrganizationSecurity,
  canonicalEmail,
  emailKey,
  emailRule,
  isEmail,
  slugKey,
} from '@bailiwick/contract'
import { anything, canonical, derived, fieldsOf } from '../../platform/db/accepted.ts'
import { flag, id, integer, json, many, record, text, time } from '../../platform/db/columns.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import type {
  InvitationId,
  MemberId,
  OrganizationDomainId,
  OrganizationId,
  RoleId,
  UserId,
} from '../../platform/ids.ts'
import { toJson } from '../../platform/json-text.ts'
import { roleMembersCounter } from '../../tenancy/roles/tables.ts'

export const membersCounter = (organizationId: string) => `organization_members:${organizationId}`
export const invitationsCounter = (organizationId: string) => `organization_invitations:${organizationId}`

const meta = { public_meta: json(), private_meta: json() }

export const organizations = table(
  'organizations',
  {
    ...record<OrganizationId>(),
    creator_id: id<UserId>().nullable(),
    ...many(text(), 'name', 'slug', 'slug_key'),
    ...many(text().nullable(), 'image_uri', 'description'),
    ...meta,
    /** What it requires of sessions that act for it, in addition to what the tenant requires. */
    second_factor_required: flag().default(0),
    allowed_strategies: json<SignInStrategy[]>().default(toJson<SignInStrategy[]>([])),
    session_maximum_lifetime: integer().nullable(),
    /** The terms by which it is found beside its slug; null until they are stored. See search/terms.ts. */
    search_terms: text().nullable(),
  },
  {
    madeAnew: ['search_terms'],
    refusals: { organizations_slug_key: 'organization_slug_taken' },
    counted: [{ counter: 'organizations' }],
    accepts: {
      ...fieldsOf(CreateOrganization),
      ...fieldsOf(UpdateOrganizationSecurity),
      slug_key: derived('slug', slugKey),
    },
  },
)

export const organizationMembers = table(
  'organization_members',
  {
    ...record<MemberId>(),
    organization_id: id<OrganizationId>(),
    user_id: id<UserId>(),
    role_id: id<RoleId>().nullable(),
    ...meta,
    /** When the membership ends by itself, and when the member loses the role. Rights are compared with the time. */
    ...many(time().nullable(), 'expires_at', 'role_expires_at'),
  },
  {
    refusals: { organization_members_user_key: 'member_exists' },
    counted: [
      { by: 'organization_id', counter: membersCounter },
      { where: sql`role_id IS NOT NULL`, by: 'role_id', counter: roleMembersCounter },
    ],
    accepts: fieldsOf(CreateOrganizationMember),
  },
)

export const organizationInvitations = table(
  'organization_invitations',
  {
    ...record<InvitationId>(),
    organization_id: id<OrganizationId>(),
    ...many(text(), 'email', 'email_key', 'token_hash'),
    role_id: id<RoleId>().nullable(),
    /** The organization's domain that caused it to be sent; null for an invitation that a person sent. */
    domain_id: id<OrganizationDomainId>().nullable(),
    expires_at: time(),
    ...many(time().nullable(), 'accepted_at', 'declined_at'),
    ...meta,
    /** How many seconds after joining the membership ends. */
    membership_lifetime: integer().nullable(),
  },
  {
    refusals: { organization_invitations_open_key: 'invitation_exists' },
    counted: [{ by: 'organization_id', counter: invitationsCounter }],
    accepts: {
      ...fieldsOf(CreateOrganizationMember),
      email: canonical(emailRule, isEmail, canonicalEmail),
      email_key: derived('email', emailKey),
      token_hash: anything('only compared with hashes of tokens that are sent'),
    },
  },
)
