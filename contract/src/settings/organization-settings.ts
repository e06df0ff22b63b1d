// What organizations and their members can do.
import { type Setting, off, on } from './setting-kinds.ts'

export const organizationSettings = {
  organizationsEnabled: on('organizations', 'Organizations', 'Users can be members of organizations.'),
  organizationMembershipLimit: {
    kind: 'integer',
    default: 0,
    minimum: 0,
    maximum: 2_147_483_647,
    unit: 'members',
    group: 'organizations',
    label: 'Maximum members per organization',
    help: 'How many members an organization can have. 0 means no limit.',
  },
  organizationAdminDeletingEnabled: on(
    'organizations',
    'Members can delete their organization',
    'Members with the permission org:delete can delete their organization.',
  ),
  organizationCustomDomainManagementEnabled: off(
    'organizations',
    'Members can add domains',
    'Members with the permission org:domains:manage can add and verify domains of their organization.',
  ),
  organizationConnectionManagementEnabled: off(
    'organizations',
    'Members can set up single sign-on',
    'Members with the permission org:connections:manage can connect the identity provider of their organization.',
  ),
  organizationRolesEnabled: off(
    'organizations',
    'Organizations can have roles of their own',
    'Members with the permission org:roles:manage can create roles that only their organization has. While this is off, such roles give no permission.',
  ),
  organizationRoleLimit: {
    kind: 'integer',
    default: 20,
    minimum: 1,
    maximum: 100,
    unit: 'roles',
    group: 'organizations',
    label: 'Maximum roles per organization',
    help: 'How many roles of its own an organization can have.',
  },
  organizationRolePermissions: {
    kind: 'list',
    default: [],
    format: 'permission',
    items: 'permissions',
    itemsMax: 200,
    lengthMax: 100,
    group: 'organizations',
    label: 'Permissions that roles of organizations can give',
    help: 'Roles of organizations give these permissions and no others. Removing one here takes it from all such roles at once.',
  },
  organizationAutomaticInvitationEnabled: off(
    'organizations',
    'Invite users by the domain of their address',
    'Users who verify an e-mail address on a domain of an organization are invited to it.',
  ),
  organizationAutomaticInvitationSuggestionsEnabled: off(
    'organizations',
    'Suggest organizations by the domain of an address',
    'Users with a verified e-mail address on a domain of an organization see it as a suggestion.',
  ),
} as const satisfies Readonly<Record<string, Setting>>
