// The states of the pages about organizations and of invitations with sample data, for looking at them all.
import {
  type Frame,
  createOrganizationPage,
  deleteOrganizationPage,
  invitationOfferPage,
  invitationPage,
  leaveOrganizationPage,
  organizationDetailsPage,
  organizationDomainPage,
  organizationDomainsPage,
  organizationGroupPage,
  organizationGroupsPage,
  organizationInvitationsPage,
  organizationListPage,
  organizationMembersPage,
  organizationRulesPage,
  ownRolePage,
  ownRolesPage,
} from '../src/index.ts'

const organization = {
  id: 'c000000000000000000000001',
  name: 'Research',
  pictureUri: null,
  sections: ['details', 'members', 'groups', 'invitations', 'domains'],
} as const
const role = { id: 'c000000000000000000000002', name: 'admin' }
const withRoles = { ...organization, sections: ['details', 'members', 'groups', 'roles', 'invitations'] } as const
const dispatcher = { id: 'a', name: 'Dispatcher', permissions: ['orders:read', 'orders:dispatch'] }
const noMore = { prev: null, next: null }
const group = { id: 'c000000000000000000000004', name: 'Engineering', role }
const domain = { id: 'c000000000000000000000003', name: 'acme.example', isVerified: false }
const record = { type: 'TXT', name: '_bailiwick.acme.example', value: 'bailiwick-verification=cUAS95ptjpw34I1SUmdocg' }
const person = { pictureUri: null, role, isYou: false, canChange: true }
const invited = { role: 'admin', date: '30.11.2026', canChange: true }
const received = { id: 'c5', organization: { ...organization, name: 'Botany' }, email: 'ada@acme.example' }
const invitation = {
  token: 'token',
  email: 'grace@acme.example',
  signInAt: '/sign-in',
  signUpAt: '/sign-up',
  canDecline: true,
} as const

export const organizationStates: Readonly<Record<string, (frame: Frame) => string>> = {
  organizations: (frame) =>
    organizationListPage(frame, {
      ...noMore,
      organizations: [
        { ...organization, role: 'admin', members: 12, isActive: true },
        { ...organization, name: 'Physics', role: null, members: 1, isActive: false },
      ],
      isActing: true,
      invitations: [received],
      suggestions: [{ ...organization, name: 'Chemistry', domain: 'acme.example' }],
      canAsk: true,
    }),
  'organizations, none': (frame) =>
    organizationListPage(frame, {
      ...noMore,
      organizations: [],
      isActing: false,
      invitations: [],
      suggestions: [],
      canAsk: false,
    }),
  'organizations, invited': (frame) =>
    invitationOfferPage(frame, {
      after: 'signIn',
      redirectTo: undefined,
      invitations: [received, { ...received, id: 'c6', organization: { ...organization, name: 'Physics' } }],
      errors: { form: frame.text('error.organizationFull') },
    }),
  'organization, new': (frame) => createOrganizationPage(frame, { errors: { slug: frame.text('error.slugTaken') } }),
  organization: (frame) =>
    organizationDetailsPage(frame, {
      organization,
      role: 'admin',
      members: 12,
      isActive: false,
      canManage: true,
      canDelete: true,
      values: { name: 'Research', slug: 'research', imageUri: '' },
      done: frame.text('orgs.saved'),
    }),
  'organization, leave': (frame) =>
    leaveOrganizationPage(frame, { organization, errors: { form: frame.text('error.lastManager') } }),
  'organization, delete': (frame) => deleteOrganizationPage(frame, { organization }),
  'organization, members': (frame) =>
    organizationMembersPage(frame, {
      prev: null,
      next: '2026-07-01T09:30:00.000000Z',
      organization,
      total: 21,
      roles: [role],
      members: [
        { ...person, id: 'c1', name: 'Ada Lovelace', identifier: 'ada@acme.example', isYou: true },
        { ...person, id: 'c2', name: 'Grace Hopper', role: null, until: '12 Dec 2026' },
      ],
      errors: { c2: frame.text('error.roleBeyond') },
    }),
  'organization, invitations': (frame) =>
    organizationInvitationsPage(frame, {
      lifetimes: [{ days: 30, label: '30 days' }],
      ...noMore,
      organization,
      roles: [role],
      invitations: (['waiting', 'expired', 'accepted', 'declined'] as const).map((state) => ({
        ...invited,
        id: state,
        email: `${state}@acme.example`,
        state,
        lifetime: state === 'waiting' ? '30 days' : undefined,
      })),
      errors: { email: frame.text('error.invitedAlready') },
      values: { email: 'waiting@acme.example', roleId: null },
    }),
  'organization, groups': (frame) =>
    organizationGroupsPage(frame, {
      organization,
      groups: [group, { ...group, name: 'Sales', role: null }],
      roles: [role],
      name: 'Engineering',
      errors: { name: frame.text('error.groupTaken') },
    }),
  'organization, group': (frame) =>
    organizationGroupPage(frame, {
      ...noMore,
      organization,
      group,
      roles: [role],
      members: [
        { ...person, id: 'a', name: 'Ada Lovelace' },
        { ...person, id: 'b', name: 'Grace Hopper', until: 'Dec 24, 2026' },
      ],
      lifetimes: [{ days: 30, label: '30 days' }],
      others: [{ id: 'c', name: 'Charles Babbage' }],
      done: frame.text('orgs.groupAdded'),
    }),
  'organization, roles': (frame) =>
    ownRolesPage(frame, {
      organization: withRoles,
      roles: [dispatcher, { id: 'b', name: 'Auditor', permissions: [] }],
      choices: ['orders:read', 'orders:dispatch', 'org:members:manage'],
      values: { name: 'Dispatcher', permissions: ['orders:read'] },
      errors: { name: frame.text('error.ownRoleTaken') },
    }),
  'organization, role': (frame) =>
    ownRolePage(frame, {
      organization: withRoles,
      role: dispatcher,
      withheld: ['orders:dispatch'],
      choices: ['orders:read', 'org:members:manage'],
      canChange: true,
      values: dispatcher,
      done: frame.text('orgs.saved'),
    }),
  'organization, role of others': (frame) =>
    ownRolePage(frame, {
      organization: withRoles,
      role: dispatcher,
      withheld: [],
      choices: [],
      canChange: false,
      values: dispatcher,
    }),
  'organization, sign-in rules': (frame) =>
    organizationRulesPage(frame, {
      organization: { ...organization, sections: [...organization.sections, 'rules'] },
      secondStep: 'chosen',
      ways: [
        { name: 'password', label: frame.text('choose.password') },
        { name: 'security_key', label: frame.text('choose.passkey') },
        { name: 'enterprise', label: frame.text('setup.signOn') },
      ],
      values: { isSecondRequired: true, ways: ['security_key'], minutes: '480' },
      lockedOut: 3,
    }),
  'organization, domains': (frame) =>
    organizationDomainsPage(frame, {
      ...noMore,
      organization,
      domains: [domain, { ...domain, name: 'acme.org', isVerified: true }],
      effects: ['invited', 'suggested'],
    }),
  'organization, domain': (frame) =>
    organizationDomainPage(frame, {
      organization,
      domain,
      record,
      errors: { form: frame.text('orgs.domainMissing') },
    }),
  invitation: (frame) =>
    invitationPage(frame, { ...invitation, to: { kind: 'organization', name: 'Research' }, reader: 'signed-out' }),
  'invitation, accept': (frame) =>
    invitationPage(frame, {
      ...invitation,
      to: { kind: 'organization', name: 'Research' },
      reader: 'invited',
      name: 'Grace Hopper',
    }),
  'invitation, administrator': (frame) =>
    invitationPage(frame, {
      ...invitation,
      canDecline: false,
      to: { kind: 'tenant', name: 'Acme Incorporated' },
      reader: 'somebody-else',
      name: 'Ada Lovelace',
    }),
}
