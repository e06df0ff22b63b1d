// Requests of the roles of organizations' own.
import { unique } from '../../harness/factories.ts'
import { type Requests, onOrganization } from '../request-kinds.ts'
import type { Names, World } from '../world.ts'

const at = ({ organizationId }: Names, id: string) => ({ organizationId, id })

/** The operations on one role: neither it nor its organization may belong to another tenant. */
const onRole = <Body extends object>(name: 'ownRoleId' | 'spareOwnRoleId', request: (own: World) => Body) => ({
  valid: (own: World) => ({ params: at(own, own[name]), ...request(own) }),
  foreign: (own: World, other: Names) => [
    {
      naming: 'organizationId',
      request: { params: at(other, own[name]), ...request(own) },
      answer: 'not_found' as const,
    },
    { naming: 'id', request: { params: at(own, other[name]), ...request(own) }, answer: 'not_found' as const },
  ],
})

export const organizationRolesRequests = {
  createOrganizationRole: {
    valid: ({ organizationId }) => ({ params: { organizationId }, body: { name: unique() } }),
    foreign: (_own, { organizationId }) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId }, body: { name: unique() } },
        answer: 'not_found',
      },
    ],
  },
  listOrganizationRoles: onOrganization,
  getOrganizationRole: onRole('ownRoleId', () => ({})),
  updateOrganizationRole: onRole('ownRoleId', () => ({ body: { name: unique() } })),
  deleteOrganizationRole: onRole('spareOwnRoleId', () => ({})),
} satisfies Requests
