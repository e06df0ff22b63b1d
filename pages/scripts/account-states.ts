// The states of the account pages with sample data, for looking at them all.
import {
  type Frame,
  accountGroups,
  appPage,
  appSetUpPage,
  confirmPage,
  connectionsPage,
  contactCodePage,
  contactsPage,
  dataPage,
  deletePage,
  newRecoveryCodesPage,
  overviewPage,
  shownProvider,
  ownPasswordPage,
  passkeyNamePage,
  passkeysPage,
  profilePage,
  providerAccessPage,
  recoveryCodesPage,
  removalPage,
  sessionsPage,
} from '../src/index.ts'
import { sampleAttributes } from './sample-attributes.ts'

const sections = accountGroups.flatMap((group) => group.sections)
const id = 'c000000000000000000000001'
const name = 'Ada Lovelace'
const identifier = 'ada.lovelace@example.com'
const now = '2026-07-01T09:30:00.000000Z'
const yesterday = '2026-06-30T08:15:00.000000Z'
const lastYear = '2025-11-02T17:45:00.000000Z'
const apple = { provider: 'iCloud Keychain', backupEligible: true, backedUp: true }
const passkey = { id, ...apple, flaggedAt: null, lastUsedAt: yesterday, createdAt: lastYear }
const access = {
  scopes: ['https://www.googleapis.com/auth/calendar.events', 'https://www.googleapis.com/auth/drive.file'],
  state: 'active' as const,
  createdAt: lastYear,
  updatedAt: lastYear,
  lastUsedAt: yesterday,
}
const session = { ip: '203.0.113.7', isCurrent: false, lastActiveAt: yesterday, createdAt: lastYear }
const ends = ['k7m2p', 'x9q4r', 'h3v8t', 'b6n1w', 'd5j0z', 'f8c2s', 'g4y7k', 'm1r6x', 'p9t3h', 'q2w5v']
const codes = ends.map((end, index) => `${end}-${ends[ends.length - 1 - index]}`)

export const accountStates: Readonly<Record<string, (frame: Frame) => string>> = {
  account: (frame) =>
    overviewPage(frame, {
      sections,
      name,
      imageUri: null,
      states: {
        emails: identifier,
        phones: frame.text('account.none'),
        password: frame.text('account.set'),
        passkeys: frame.text('passkeys.count', { count: 2 }),
        app: frame.text('account.on'),
        recoveryCodes: frame.text('recovery.left', { count: 2 }),
        connections: 'Google, GitHub',
        sessions: frame.text('sessions.count', { count: 3 }),
      },
    }),
  'account, profile': (frame) =>
    profilePage(frame, {
      sections,
      imageUri: null,
      name,
      isNameRequired: true,
      username: 'ada',
      isUsernameRequired: false,
      firstName: 'Ada',
      lastName: 'Lovelace',
      locale: '',
      timezone: 'Europe/London',
      timezones: ['Europe/London', 'Europe/Vienna'],
      own: { attributes: sampleAttributes, typed: { company: 'Analytical Engines', terms: 'true', seats: '12' } },
      errors: { username: frame.text('error.usernameTaken') },
    }),
  'account, e-mail addresses': (frame) =>
    contactsPage(frame, {
      sections,
      section: 'emails',
      contacts: [
        { id, value: identifier, isVerified: true, isPrimary: true },
        { id, value: 'countess.of.lovelace@analytical-engines.example', isVerified: false, isPrimary: false },
      ],
      canVerify: true,
    }),
  'account, code': (frame) =>
    contactCodePage(frame, { sections, section: 'emails', id, value: identifier, isSentAgain: true }),
  'account, password': (frame) =>
    ownPasswordPage(frame, { sections, hasPassword: true, canRemove: true, lengthMin: 8, identifier }),
  'account, passkeys': (frame) =>
    passkeysPage(frame, {
      sections,
      passkeys: [
        { ...passkey, name: 'Laptop' },
        { ...passkey, name: null, backedUp: false },
        { ...passkey, name: null, provider: null, backupEligible: false, backedUp: false, flaggedAt: yesterday },
      ],
      canAdd: true,
      isElsewhere: false,
      now,
    }),
  'account, no passkeys': (frame) =>
    passkeysPage(frame, { sections, passkeys: [], canAdd: true, isElsewhere: false, now }),
  'account, name of a passkey': (frame) => passkeyNamePage(frame, { sections, id, name: 'Laptop' }),
  'account, app': (frame) => appPage(frame, { sections, isOn: true, canSetUp: true }),
  'account, setting up an app': (frame) =>
    appSetUpPage(frame, {
      sections,
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Acme:ada.lovelace%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme',
      errors: { code: frame.text('error.wrongCode') },
    }),
  'account, recovery codes': (frame) => recoveryCodesPage(frame, { sections, left: 2 }),
  'account, new recovery codes': (frame) =>
    newRecoveryCodesPage(frame, { sections, codes, name, from: 'recoveryCodes', continueAt: '/account' }),
  'account, connections': (frame) =>
    connectionsPage(frame, {
      sections,
      connections: [{ id, provider: shownProvider('google'), email: identifier, createdAt: lastYear, access: null }],
      providers: [shownProvider('github'), shownProvider('apple')],
      offers: [],
      now,
    }),
  'account, connections with access': (frame) =>
    connectionsPage(frame, {
      sections,
      connections: [
        { id, provider: shownProvider('google'), email: identifier, createdAt: lastYear, access },
        {
          id,
          provider: shownProvider('github'),
          email: null,
          createdAt: lastYear,
          access: { ...access, scopes: ['repo'], state: 'consent_required', lastUsedAt: null },
        },
      ],
      providers: [],
      offers: [{ provider: shownProvider('google') }, { provider: shownProvider('github') }],
      now,
    }),
  'account, access to a provider': (frame) =>
    providerAccessPage(frame, {
      sections,
      provider: shownProvider('google'),
      scopes: access.scopes,
      to: '/account/connections/allow/google',
      cancelTo: undefined,
    }),
  'account, sessions': (frame) =>
    sessionsPage(frame, {
      sections,
      sessions: [
        { ...session, id, browser: 'Firefox', os: 'Linux', isCurrent: true, lastActiveAt: now },
        { ...session, id, browser: 'Safari', os: 'iOS' },
        { ...session, id, browser: null, os: null, ip: null },
      ],
      now,
    }),
  'account, data': (frame) => dataPage(frame, { sections }),
  'account, deleting': (frame) => deletePage(frame, { sections, name: identifier }),
  'account, removing': (frame) =>
    removalPage(frame, {
      sections,
      section: 'passkeys',
      title: frame.text('account.passkeys'),
      lead: 'Laptop',
      submit: frame.text('account.remove'),
      to: `/account/passkeys/${id}/remove`,
    }),
  'account, confirming': (frame) =>
    confirmPage(frame, {
      name,
      identifier,
      returnTo: '/account/password',
      hasPassword: true,
      strategies: ['email_code', 'security_key'],
      providers: [shownProvider('google')],
    }),
}
