import { CreateOrganizationGroup, foldCase } from '@bailiwick/contract'
import { derived, fieldsOf } from '../../platform/db/accepted.ts'
import { id, many, record, text, time } from '../../platform/db/columns.ts'
import { table } from '../../platform/db/table.ts'
import type { MemberId, OrganizationGroupId, OrganizationId, RoleId, ScimGroupId } from '../../platform/ids.ts'

export const organizationGroups = table(
  'organization_groups',
  {
    ...record<OrganizationGroupId>(),
    organization_id: id<OrganizationId>(),
    /** Names that differ only in case are the same. */
    ...many(text(), 'name', 'name_key'),
    description: text().nullable(),
    /** The role that its members have in the organization beside their own. */
    role_id: id<RoleId>().nullable(),
    /** The group of a directory whose active members are the members. */
    scim_group_id: id<ScimGroupId>().nullable(),
  },
  {
    refusals: { organization_groups_name_key: 'group_exists' },
    accepts: { ...fieldsOf(CreateOrganizationGroup), name_key: derived('name', foldCase) },
  },
)

/** The members of groups that follow no directory. */
export const organizationGroupMembers = table(
  'organization_group_members',
  {
    tenant_id: record().tenant_id,
    group_id: id<OrganizationGroupId>(),
    member_id: id<MemberId>(),
    created_at: time(),
    /** When the member leaves the group by itself. Rights are compared with the time. */
    expires_at: time().nullable(),
  },
  { key: ['tenant_id', 'group_id', 'member_id'] },
)
