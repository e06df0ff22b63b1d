// All data about a user, in the form in which the user may have it.
import type { Static } from 'typebox'
import { anyJson, array, boolean, nullable, nullableText, object, text, timestamp } from '../../schema.ts'
import { shownEnds } from '../../shapes/identity/organization.ts'
import { dataOfPerson } from '../../shapes/identity/user-transfer.ts'
import { UserRole } from '../../shapes/identity/user.ts'
import { Authorization } from '../oauth-shapes.ts'
import { Profile } from '../shapes.ts'

/** A membership of an organization without privateMeta, which is the tenant's own. */
export const OwnMembership = object({
  id: text(),
  organizationId: text(),
  roleId: nullableText(),
  role: nullable(UserRole),
  publicMeta: anyJson(),
  ...shownEnds,
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type OwnMembership = Static<typeof OwnMembership>

/** Something that has happened to the account. If others did it, it only says that they did. */
export const OwnEvent = object({
  id: text(),
  type: text({ description: 'resource.verb, such as user.created; docs/events.md lists all types' }),
  byUser: boolean({
    description: 'Whether the user caused the event; `data`, `ip` and `ua` are null for events that others caused',
  }),
  data: anyJson(),
  ip: nullableText(),
  ua: nullableText(),
  createdAt: timestamp(),
})
export type OwnEvent = Static<typeof OwnEvent>

export const OwnDataExport = object({
  exportedAt: timestamp(),
  user: Profile,
  organizationMemberships: array(OwnMembership),
  ...dataOfPerson,
  authorizations: array(Authorization, { description: 'The applications with access to the account; newest first' }),
  events: array(OwnEvent),
})
export type OwnDataExport = Static<typeof OwnDataExport>
