// The states of the set-up pages with sample data, for looking at them all.
import {
  type Frame,
  chooseProviderPage,
  newConnectionPage,
  oidcConnectionPage,
  openSetupPage,
  samlConnectionPage,
  setupDomainsPage,
  setupDonePage,
  setupHomePage,
  setupRolesPage,
  setupScimPage,
  setupScimWaitingPage,
} from '../src/index.ts'
import { sampleAttributes } from './sample-attributes.ts'

const view = {
  base: '/setup',
  organization: 'Acme',
  sections: ['home', 'domains', 'connection', 'scim', 'roles', 'done'],
} as const
const memberView = { ...view, base: '/organizations/c000000000000000000000009/security', back: '/organizations/c0' }
const opening = { token: 'token', organization: 'Acme', mailbox: 'i…@acme.example' }
const record = { type: 'TXT', name: '_bailiwick.acme.example', value: 'bailiwick-verification=cUAS95ptjpw34I1SUmdocg' }
const id = 'cmi7x9q3h9n2s7l0v4z6b3e5k'
const root = `https://id.example/t/c000000000000000000000001`
const oidc = {
  ...view,
  id,
  provider: 'entra',
  issuer: 'https://login.microsoftonline.com/4f1a2b3c-0d5e-4f6a-8b7c-9d0e1f2a3b4c/v2.0',
  callbackUri: `https://id.example/frontend/api/v0/connections/${id}/callback`,
  others: [],
} as const
const saml = {
  ...view,
  id,
  provider: 'okta',
  acsUrl: `${root}/saml/${id}/acs`,
  entityId: `${root}/saml/${id}/metadata`,
  certificate: '-----BEGIN CERTIFICATE-----\nMIIC5zCCAc+gAwIBAgIUQf6\n-----END CERTIFICATE-----',
  nameIdFormat: '',
  sloUrl: `${root}/saml/${id}/slo`,
  singleLogout: true,
  idpInitiated: false,
  metadataXml: '',
  others: [
    { id, name: 'Acme (saml)', state: 'tested' },
    { id: 'cmi7x9q3h9n2s7l0v4z6b3e5l', name: 'Acme (oidc)', state: 'live' },
  ],
} as const
const scim = {
  ...view,
  connectionId: id,
  provider: 'okta',
  baseUri: `${root}/scim/${id}/v2`,
  now: '2026-07-01T09:30:00.000000Z',
} as const
const roles = [
  { id: 'r1', name: 'admin' },
  { id: 'r2', name: 'member' },
]

export const setupStates: Readonly<Record<string, (frame: Frame) => string>> = {
  'setup, link': (frame) => openSetupPage(frame, { ...opening, isSent: false }),
  'setup, code': (frame) =>
    openSetupPage(frame, { ...opening, isSent: true, errors: { code: frame.text('error.wrongCode') } }),
  'setup, overview': (frame) =>
    setupHomePage(frame, {
      ...memberView,
      steps: [
        { section: 'domains', isDone: true },
        { section: 'connection', isDone: false },
        { section: 'scim', isDone: false },
        { section: 'roles', isDone: true },
      ],
      agents: [{ name: 'Research assistant', members: 12, lastUsedAt: '2026-07-01T09:30:00.000000Z' }],
      now: '2026-07-01T11:30:00.000000Z',
    }),
  'setup, domains': (frame) =>
    setupDomainsPage(frame, {
      ...view,
      domains: [
        { id: 'c000000000000000000000001', name: 'acme.example', isVerified: true, record },
        { id: 'c000000000000000000000002', name: 'acme.test', isVerified: false, record },
      ],
      errors: { form: frame.text('orgs.domainMissing') },
    }),
  'setup, provider': (frame) => chooseProviderPage(frame, view),
  'setup, issuer': (frame) =>
    newConnectionPage(frame, {
      ...view,
      provider: 'okta',
      issuer: 'https://acme.example',
      errors: { issuer: frame.text('setup.unreachable') },
    }),
  'setup, openid, draft': (frame) =>
    oidcConnectionPage(frame, { ...oidc, state: 'draft', clientId: '', hasSecret: false, canTest: false }),
  'setup, openid, tested': (frame) =>
    oidcConnectionPage(frame, {
      ...oidc,
      state: 'tested',
      clientId: '0oa1b2c3d4',
      hasSecret: true,
      canTest: true,
      done: frame.text('setup.tested'),
      report: {
        subject: '00u1a2b3c4',
        email: 'ada@acme.example',
        name: 'Ada Lovelace',
        claims: [['groups', 'staff, admins']],
      },
    }),
  'setup, saml, draft': (frame) =>
    samlConnectionPage(frame, {
      ...saml,
      state: 'draft',
      canTest: false,
      providerEntityId: null,
      certificateEnds: [],
      metadataUri: 'https://acme.okta.com/metadata',
      errors: { metadataXml: frame.text('setup.metadataBoth') },
    }),
  'setup, saml, live': (frame) =>
    samlConnectionPage(frame, {
      ...saml,
      state: 'live',
      canTest: true,
      providerEntityId: 'http://www.okta.com/exk1fcia6d6EMsf331d8',
      certificateEnds: ['2034-05-01'],
      metadataUri: 'https://acme.okta.com/app/exk1fcia6d6EMsf331d8/sso/saml/metadata',
    }),
  'setup, scim, new token': (frame) =>
    setupScimPage(frame, {
      ...scim,
      tokens: [{ id: 't1', last4: '0Wo7', lastUsedAt: null }],
      requests: [],
      canCreate: true,
      needsDomain: true,
      newToken: 'scim_4kPq8Zr1vXw7Ls0Bd3Ny6Tc9Mf2Hg5Jj8Ka1Qe4Ru7Yi0Wo7',
    }),
  'setup, scim, in use': (frame) =>
    setupScimPage(frame, {
      ...scim,
      tokens: [
        { id: 't1', last4: '0Wo7', lastUsedAt: '2026-07-01T09:28:00.000000Z' },
        { id: 't2', last4: 'k3Lm', lastUsedAt: null },
      ],
      requests: [
        { at: '2026-07-01T09:28:00.000000Z', method: 'POST', resource: 'Users', status: 201, reason: null },
        {
          at: '2026-07-01T09:20:00.000000Z',
          method: 'POST',
          resource: 'Users',
          status: 400,
          reason: 'The domain of the address is not verified.',
        },
      ],
      canCreate: false,
      needsDomain: false,
    }),
  'setup, scim, waiting': (frame) => setupScimWaitingPage(frame, view),
  'setup, roles': (frame) =>
    setupRolesPage(frame, {
      ...view,
      connectionId: id,
      basis: 'now',
      roles,
      groups: [{ id: 'g1', name: 'Engineering' }],
      claimRules: [
        { key: '0', claim: 'groups', value: 'admins', role: 'admin', canRemove: true },
        { key: '1', claim: null, value: null, role: 'member', canRemove: false },
      ],
      groupRules: [{ key: 'g1 r1', group: 'Engineering', role: 'admin', canRemove: true }],
      tried: { groupId: 'g1', roleId: 'r1', examined: 10_000, isComplete: false, changed: 3 },
      mappings: {
        mappings: [
          { key: 'department', attribute: undefined, claim: 'department', scim: 'department', canRemove: true },
        ],
        free: sampleAttributes,
        scimSources: ['department', 'manager'],
        hasClaims: true,
        entered: { attribute: '', claim: '', scim: '' },
      },
      done: frame.text('setup.ruleAdded'),
    }),
  'setup, finish': (frame) =>
    setupDonePage(frame, {
      ...view,
      signInUri: 'https://id.example/t/acme/sign-in',
      domains: 'acme.example',
      connection: { id, isRequired: false, bound: 38, neverConnected: 3 },
      done: frame.text('setup.switchedOn'),
    }),
  'setup, not finished': (frame) =>
    setupDonePage(frame, { ...view, signInUri: 'https://id.example/t/acme/sign-in', domains: '' }),
}
