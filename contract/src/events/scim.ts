// Events of what directories of organizations provision.
import { array, boolean, integer, object, oneOf, text } from '../schema.ts'
import { GroupRule } from '../shapes/enterprise/scim.ts'
import { change, event, texts } from './event-definition.ts'

const permission = 'organizations:read'
const place = { organizationId: text(), connectionId: text() }
const described = { ...place, name: text(), last4: text() }
const ofUser = { ...place, userId: text() }

export const scimEvents = {
  'scim_token.created': event({
    subject: 'scim_token',
    permission,
    sentence: 'A token was created with which the directory of an organization provisions its members.',
    data: object(described),
  }),
  'scim_token.revoked': event({
    subject: 'scim_token',
    permission,
    sentence: 'A token with which the directory of an organization provisions its members was revoked.',
    data: object(described),
  }),
  'scim_user.created': event({
    subject: 'scim_user',
    permission,
    sentence: 'The directory of an organization provisioned a user.',
    data: object({ ...ofUser, active: boolean() }),
  }),
  'scim_user.updated': event({
    subject: 'scim_user',
    permission,
    sentence: 'The directory of an organization changed what it says about a user.',
    data: object({ ...ofUser, changed: texts(), active: boolean() }),
  }),
  'scim_user.deleted': event({
    subject: 'scim_user',
    permission,
    sentence: 'The directory of an organization removed a user from what it provisions.',
    data: object(ofUser),
  }),
  'scim_group.created': event({
    subject: 'scim_group',
    permission,
    sentence: 'The directory of an organization sent a group.',
    data: object({ ...place, displayName: text(), members: integer() }),
  }),
  'scim_group.updated': event({
    subject: 'scim_group',
    permission,
    sentence: 'The directory of an organization changed a group or its members.',
    data: object({ ...place, displayName: text(), added: integer(), removed: integer() }),
  }),
  'scim_group.deleted': event({
    subject: 'scim_group',
    permission,
    sentence: 'The directory of an organization removed a group.',
    data: object({ ...place, displayName: text() }),
  }),
  'connection.group_rules_updated': event({
    subject: 'connection',
    permission,
    sentence: 'The roles that groups of a directory give were changed.',
    data: object({ organizationId: text(), ...change({ rules: array(GroupRule) }) }),
  }),
  'member.deprovisioned': event({
    subject: 'organization_membership',
    permission,
    sentence: 'The directory of an organization ended the membership of a user.',
    data: object({
      ...ofUser,
      reason: oneOf(['deactivated', 'deleted'] as const),
      suspended: boolean({ description: 'Whether the user was suspended, who has no other membership and way in' }),
    }),
  }),
}
