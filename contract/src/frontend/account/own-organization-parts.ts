// What the operations of own organizations, their members and their invitations share.
import { sample } from '../../examples.ts'
import { nullableText, object, optional } from '../../schema.ts'
import { OwnOrganization } from '../organization-shapes.ts'

export const roleId = optional(
  nullableText({
    minLength: 1,
    maxLength: 256,
    description: 'The id of a role that you can assign: see `assignableBy` of roles',
  }),
)

export const sampleRole = { id: sample.role.id, name: 'admin', description: null, permissions: ['org:manage'] }
/** Without the properties that members do not see. */
export const only = (shape: { readonly properties: object }, record: object) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field in shape.properties))
export const sampleOrganization = only(OwnOrganization, { ...sample.organization, role: sampleRole })
export const params = { id: sample.organization.id }
export const organization = { organization: sampleOrganization }

export const common = { tag: 'Own organizations', session: 'required' } as const
export const ofOrganization = { ...common, data: object({ organization: OwnOrganization }) } as const
