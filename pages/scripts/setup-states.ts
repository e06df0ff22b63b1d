// The states of the set-up pages with sample data, for looking at them all.
import {
  type Frame,
  chooseProviderPage,
  newConnectionPage,
  openSetupPage,
  setupConnectionPage,
  setupDomainsPage,
  setupHomePage,
} from '../src/index.ts'

const view = { organization: 'Acme', sections: ['home', 'domains', 'connection'] } as const
const opening = { token: 'token', organization: 'Acme', mailbox: 'i…@acme.example' }
const record = { type: 'TXT', name: '_bailiwick.acme.example', value: 'bailiwick-verification=cUAS95ptjpw34I1SUmdocg' }
const connection = {
  ...view,
  provider: 'entra',
  issuer: 'https://login.microsoftonline.com/4f1a2b3c-0d5e-4f6a-8b7c-9d0e1f2a3b4c/v2.0',
  callbackUri: 'https://id.example/frontend/api/v0/connections/cmi7x9q3h9n2s7l0v4z6b3e5k/callback',
} as const

export const setupStates: Readonly<Record<string, (frame: Frame) => string>> = {
  'setup, link': (frame) => openSetupPage(frame, { ...opening, isSent: false }),
  'setup, code': (frame) =>
    openSetupPage(frame, { ...opening, isSent: true, errors: { code: frame.text('error.wrongCode') } }),
  'setup, overview': (frame) =>
    setupHomePage(frame, {
      ...view,
      steps: [
        { section: 'domains', isDone: true },
        { section: 'connection', isDone: false },
      ],
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
  'setup, connection, draft': (frame) =>
    setupConnectionPage(frame, { ...connection, state: 'draft', clientId: '', hasSecret: false, canTest: false }),
  'setup, connection, tested': (frame) =>
    setupConnectionPage(frame, {
      ...connection,
      state: 'tested',
      clientId: '0oa1b2c3d4',
      hasSecret: true,
      canTest: true,
      done: frame.text('setup.tested'),
    }),
}
