// Requests of the groups inside organizations.
import { unique } from '../../harness/factories.ts'
import { type Requests, onOrganization } from '../request-kinds.ts'
import type { Names, World } from '../world.ts'

const at = ({ organizationId }: Names, id: string) => ({ organizationId, id })

/** The operations on one group: neither it nor its organization may belong to another tenant. */
const onGroup = <Body extends object>(name: 'groupId' | 'spareGroupId', request: (own: World) => Body) => ({
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

const renamed = onGroup('groupId', ({ roleId }) => ({ body: { name: unique(), roleId } }))
const joining = onGroup('groupId', ({ organizationMemberId }) => ({ body: { memberId: organizationMemberId } }))

export const organizationGroupsRequests = {
  createOrganizationGroup: {
    valid: ({ organizationId, roleId, scimGroupId }) => ({
      params: { organizationId },
      body: { name: unique(), roleId, scimGroupId },
    }),
    foreign: ({ organizationId }, other) => [
      {
        naming: 'organizationId',
        request: { params: { organizationId: other.organizationId }, body: { name: unique() } },
        answer: 'not_found',
      },
      {
        naming: 'roleId',
        request: { params: { organizationId }, body: { name: unique(), roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
      {
        naming: 'scimGroupId',
        request: { params: { organizationId }, body: { name: unique(), scimGroupId: other.scimGroupId } },
        answer: { issueAt: '/scimGroupId' },
      },
    ],
  },
  listOrganizationGroups: onOrganization,
  getOrganizationGroup: onGroup('groupId', () => ({})),
  updateOrganizationGroup: {
    valid: renamed.valid,
    foreign: (own, other) => [
      ...renamed.foreign(own, other),
      {
        naming: 'roleId',
        request: { params: at(own, own.groupId), body: { roleId: other.roleId } },
        answer: { issueAt: '/roleId' },
      },
      {
        naming: 'scimGroupId',
        request: { params: at(own, own.groupId), body: { scimGroupId: other.scimGroupId } },
        answer: { issueAt: '/scimGroupId' },
      },
    ],
  },
  deleteOrganizationGroup: onGroup('spareGroupId', () => ({})),
  listMembersOfGroup: onGroup('groupId', () => ({})),
  addMemberToGroup: {
    valid: joining.valid,
    foreign: (own, other) => [
      ...joining.foreign(own, other),
      {
        naming: 'memberId',
        request: { params: at(own, own.groupId), body: { memberId: other.organizationMemberId } },
        answer: 'not_found',
      },
    ],
  },
  removeMemberFromGroup: {
    valid: (own) => ({ params: { ...at(own, own.groupId), memberId: own.groupedMemberId } }),
    foreign: (own, other) => [
      {
        naming: 'organizationId',
        request: { params: { ...at(other, own.groupId), memberId: own.groupedMemberId } },
        answer: 'not_found',
      },
      {
        naming: 'id',
        request: { params: { ...at(own, other.groupId), memberId: own.groupedMemberId } },
        answer: 'not_found',
      },
      {
        naming: 'memberId',
        request: { params: { ...at(own, own.groupId), memberId: other.groupedMemberId } },
        answer: 'not_found',
      },
    ],
  },
} satisfies Requests
