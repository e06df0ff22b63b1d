// The states of the pages about applications with sample data, for looking at them all.
import {
  type Frame,
  accountGroups,
  applicationSignOutPage,
  appsPage,
  consentPage,
  devicePage,
  identifierPage,
  messagePage,
} from '../src/index.ts'

const id = 'c000000000000000000000001'
const name = 'ada.lovelace@example.com'
const application = {
  name: 'Grafana',
  pictureUri: null,
  termsUri: 'https://grafana.example/terms',
  policyUri: 'https://grafana.example/privacy',
  host: 'grafana.example',
  isTrusted: true,
}
const own = (scope: string, isGranted = false) => ({ name: scope, description: null, resource: null, isGranted })
const scopes = [own('openid', true), own('profile', true), own('email'), own('phone'), own('offline_access')]
const atResource = [
  { name: 'articles:read', description: 'Read the articles', resource: 'Articles', isGranted: false },
  { name: 'articles:write', description: null, resource: 'Articles', isGranted: false },
]
const signInAt = '/sign-in?interaction=x&prompt=login'
const consent = {
  uid: 'x',
  application,
  name,
  scopes,
  organizations: [],
  organizationId: null,
  isDevice: false,
  signInAt,
}
const form = { action: '/oauth/logout/confirm', xsrf: 'x' }
const now = '2026-07-01T09:30:00.000000Z'
const app = {
  id,
  pictureUri: null,
  organization: null,
  isAgent: false,
  createdAt: '2026-06-02T08:00:00.000000Z',
  lastUsedAt: now,
}

export const applicationStates: Readonly<Record<string, (frame: Frame) => string>> = {
  'sign-in, for an application': (frame) =>
    identifierPage(frame, {
      kinds: { email: true, phone: false, username: false },
      providers: [],
      hasPasskeys: true,
      canSignUp: true,
      value: name,
      application: application.name,
    }),
  consent: (frame) => consentPage(frame, consent),
  'sign-in, another account is wanted': (frame) =>
    identifierPage(frame, {
      kinds: { email: true, phone: false, username: false },
      providers: [],
      hasPasskeys: true,
      canSignUp: true,
      application: application.name,
      isAnotherWanted: true,
    }),
  'consent, whole resource for one organization': (frame) =>
    consentPage(frame, {
      ...consent,
      scopes: [own('openid')],
      resources: [{ name: 'Articles', isGranted: false }],
      organizations: [{ id, name: 'Research' }],
      organizationId: id,
      isOrganizationRequested: true,
    }),
  'consent, described by its document': (frame) =>
    consentPage(frame, {
      ...consent,
      application: {
        ...application,
        name: 'Inspector',
        host: 'localhost:4750',
        documentHost: 'clients.inspector.example',
        isTrusted: false,
      },
    }),
  'consent, organizations and a resource': (frame) =>
    consentPage(frame, {
      ...consent,
      scopes: [own('openid'), ...atResource],
      organizations: [
        { id, name: 'Research' },
        { id: 'c2', name: 'Analytical Engines' },
      ],
      organizationId: id,
    }),
  'consent, unknown application': (frame) =>
    consentPage(frame, {
      ...consent,
      application: { ...application, name: 'Inspector', termsUri: null, policyUri: null, isTrusted: false },
      errors: { form: frame.text('error.tooManyTries', { count: 2 }) },
    }),
  'consent, device': (frame) =>
    consentPage(frame, {
      ...consent,
      application: { ...application, name: 'Television', host: null },
      scopes: scopes.slice(0, 2),
      isDevice: true,
      signInAt: undefined,
    }),
  device: (frame) => devicePage(frame, { userCode: 'WDJB-MJHT' }),
  'device, refused': (frame) =>
    devicePage(frame, { userCode: 'WDJB', errors: { userCode: frame.text('device.unknown') } }),
  'device, done': (frame) => {
    const { text } = frame
    return messagePage(frame, { title: text('device.allowedTitle'), lead: text('device.allowedLead') })
  },
  'sign-out, for an application': (frame) =>
    applicationSignOutPage(frame, { ...form, application: application.name, isProven: false }),
  'sign-out, for nobody': (frame) => applicationSignOutPage(frame, { ...form, application: null, isProven: false }),
  'signed out, back to the application': (frame) => {
    const { text } = frame
    const actions = [{ href: 'https://grafana.example/', label: text('common.continue') }]
    const lead = text('leaving.lead', { host: application.host })
    return messagePage(frame, { title: text('signOut.doneTitle'), lead, actions })
  },
  'sign-out, stayed': (frame) => {
    const { text } = frame
    const actions = [{ href: '/account', label: text('account.back'), kind: 'secondary' as const }]
    return messagePage(frame, { title: text('signOut.stayedTitle'), lead: text('signOut.stayedLead'), actions })
  },
  'request, over': (frame) => {
    const { text } = frame
    const actions = [{ href: 'https://grafana.example/login', label: text('common.startAgain') }]
    return messagePage(frame, { title: text('expired.title'), lead: text('request.lead'), actions })
  },
  'request, unknown tenant': (frame) => {
    const { text } = frame
    return messagePage({ ...frame, tenant: null }, { title: text('notFound.title'), lead: text('notFound.lead') })
  },
  'request, refused': (frame) => {
    const { text } = frame
    const detail = 'invalid_redirect_uri: redirect_uri did not match any of the client’s registered redirect_uris'
    return messagePage(frame, { title: text('request.title'), lead: text('request.lead'), detail })
  },
  'account, applications': (frame) =>
    appsPage(frame, {
      sections: accountGroups.flatMap((group) => group.sections),
      apps: [
        { ...app, name: 'Grafana' },
        { ...app, name: 'Articles for the television', organization: 'Research' },
        { ...app, name: 'Research assistant', organization: 'Research', isAgent: true },
      ],
      now,
      done: 'apps.removed',
    }),
  'account, no applications': (frame) =>
    appsPage(frame, { sections: accountGroups.flatMap((group) => group.sections), apps: [], now }),
}
