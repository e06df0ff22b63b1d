// The states of the pages with sample data, for looking at them all.
import {
  accountsPage,
  type Frame,
  choosePage,
  codePage,
  enrolmentAppPage,
  enrolmentChoicePage,
  enrolmentCodesPage,
  enrolmentMailboxPage,
  identifierPage,
  linkCodePage,
  linkConfirmPage,
  linkSentPage,
  messagePage,
  missingFieldsPage,
  newPasswordPage,
  passkeyOfferPage,
  passkeyPage,
  passwordPage,
  resetCodePage,
  resetPage,
  secondFactorPage,
  secureAccountPage,
  signOutPage,
  signUpPage,
  waitlistPage,
  signedInPage,
  verifyLinkPage,
  verifyPage,
  verifySendPage,
  verifyAgainPage,
} from '../src/index.ts'
import { shownProvider } from '../src/parts/providers.ts'
import { accountStates } from './account-states.ts'
import { apiKeyStates } from './api-key-states.ts'
import { applicationStates } from './application-states.ts'
import { organizationStates } from './organization-states.ts'
import { sampleAttributes } from './sample-attributes.ts'
import { setupStates } from './setup-states.ts'

const attemptId = 'c000000000000000000000000'
const identifier = 'ada.lovelace@example.com'
const startAt = '/sign-in'
const emailOnly = { email: true, phone: false, username: false }
const anyKind = { email: true, phone: true, username: true }
const logoUri = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="10" cy="10" r="9" fill="#2563eb"/></svg>')}`
const custom = { key: 'custom-acme', name: 'Acme staff', logoUri } as const
const providers = [...(['google', 'github', 'apple'] as const).map(shownProvider), custom]
const step = { attemptId, identifier, startAt, hasOtherWays: true }
const passwordStep = { ...step, strategy: 'email_password', canReset: true }
const ways = ['app', 'key', 'recovery'] as const
const newApp = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Acme:ada.lovelace%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme',
}

/** Each state by its name, as a page. */
export const states: Readonly<Record<string, (frame: Frame) => string>> = {
  'sign-in': (frame) => identifierPage(frame, { kinds: emailOnly, providers: [], hasPasskeys: true, canSignUp: true }),
  'sign-in, all ways': (frame) =>
    identifierPage(frame, { kinds: anyKind, providers, hasPasskeys: true, canSignUp: true }),
  'sign-in, refused': (frame) => {
    const { text } = frame
    const errors = { identifier: text('error.email'), form: text('error.tooManyTries', { count: 3 }) }
    return identifierPage(frame, {
      kinds: emailOnly,
      providers: [],
      hasPasskeys: false,
      canSignUp: true,
      value: 'ada',
      errors,
    })
  },
  password: (frame) => passwordPage(frame, passwordStep),
  'password, refused': (frame) =>
    passwordPage(frame, { ...passwordStep, errors: { password: frame.text('error.wrongPassword') } }),
  'new password': (frame) =>
    newPasswordPage(frame, {
      ...step,
      strategy: 'email_password',
      lengthMin: 8,
      errors: { newPassword: frame.text('error.passwordCommon') },
    }),
  choose: (frame) =>
    choosePage(frame, {
      ...step,
      strategies: ['email_password', 'email_code', 'email_link', 'security_key'],
      errors: { form: frame.text('error.unavailable') },
    }),
  code: (frame) => codePage(frame, { ...step, strategy: 'email_code', isSentAgain: true }),
  'code, refused': (frame) =>
    codePage(frame, { ...step, strategy: 'email_code', errors: { code: frame.text('error.wrongCode') } }),
  link: (frame) =>
    linkSentPage(frame, { ...step, strategy: 'email_link', errors: { form: frame.text('error.wrongLink') } }),
  'link, opened in another browser': (frame) => linkCodePage(frame, { code: '08594523', startAt: '/sign-in' }),
  'link, opened': (frame) => linkConfirmPage(frame, { attemptId, identifier, token: 'token' }),
  passkey: (frame) => passkeyPage(frame, step),
  'passkey offer': (frame) => passkeyOfferPage(frame, { attemptId, upkeep: { script: frame.script } }),
  'second factor, app': (frame) => secondFactorPage(frame, { attemptId, way: 'app', ways }),
  'second factor, key': (frame) => secondFactorPage(frame, { attemptId, way: 'key', ways }),
  'second factor, recovery': (frame) => secondFactorPage(frame, { attemptId, way: 'recovery', ways }),
  'enrolment, mailbox': (frame) => enrolmentMailboxPage(frame, { attemptId, strategy: 'email_code', isSent: false }),
  'enrolment, code': (frame) =>
    enrolmentMailboxPage(frame, {
      attemptId,
      strategy: 'email_code',
      isSent: true,
      errors: { code: frame.text('error.wrongCode') },
    }),
  'enrolment, choice': (frame) => enrolmentChoicePage(frame, { attemptId, ways: ['app', 'key'] }),
  'enrolment, app': (frame) => enrolmentAppPage(frame, { attemptId, ...newApp, hasOtherWays: true }),
  'enrolment, recovery codes': (frame) =>
    enrolmentCodesPage(frame, {
      codes: Array.from({ length: 10 }, () => 'abcde-fghij-klmno'),
      name: 'Ada Lovelace',
      continueAt: '/account',
    }),
  'verify again': (frame) => verifyAgainPage(frame, { level: 'second_factor' }),
  accounts: (frame) =>
    accountsPage(frame, {
      accounts: [
        { id: 'c1', name: 'Ada Lovelace', identifier: 'ada.lovelace@analytical-engines.example', isCurrent: true },
        { id: 'c2', name: 'ben@example.com', identifier: 'ben@example.com', isCurrent: false },
      ],
      redirectTo: undefined,
      addAt: startAt,
    }),
  'signed in': (frame) => signedInPage(frame, { name: 'Ada Lovelace', continueAt: '/account', signInAt: startAt }),
  'sign-up': (frame) =>
    signUpPage(frame, {
      fields: ['email', 'password'],
      providers: [shownProvider('google')],
      canSignIn: true,
      passwordLengthMin: 8,
    }),
  'waiting list': (frame) => waitlistPage(frame, { canSignIn: true }),
  'waiting list, refused': (frame) =>
    waitlistPage(frame, { canSignIn: true, value: 'ada', errors: { email: frame.text('error.email') } }),
  'sign-up, attributes': (frame) =>
    signUpPage(frame, {
      fields: ['email', 'password'],
      own: { attributes: sampleAttributes, typed: { seats: '1000' } },
      errors: { 'attributes/seats': frame.text('error.invalid'), 'attributes/terms': frame.text('error.required') },
      providers: [],
      canSignIn: true,
      passwordLengthMin: 8,
    }),
  'sign-up, all fields, refused': (frame) => {
    const { text } = frame
    return signUpPage(frame, {
      fields: ['email', 'phone', 'username', 'name', 'password'],
      values: { email: identifier, username: 'ada', name: 'Ada' },
      errors: {
        phone: text('error.phone'),
        username: text('error.usernameTaken'),
        password: text('error.tooShort', { count: 8 }),
      },
      providers: [],
      canSignIn: true,
      passwordLengthMin: 8,
    })
  },
  'sign-up, more fields': (frame) =>
    missingFieldsPage(frame, { to: `/sign-up/${attemptId}`, hidden: {}, fields: ['username'], passwordLengthMin: 8 }),
  'verify, choose': (frame) =>
    verifySendPage(frame, { attemptId, address: identifier, strategies: ['email_code', 'email_link'] }),
  'verify, code': (frame) => verifyPage(frame, { attemptId, address: '+44 20 7946 0018', strategy: 'phone_code' }),
  'verify, link': (frame) => verifyPage(frame, { attemptId, address: identifier, strategy: 'email_link' }),
  'verify, link opened': (frame) => verifyLinkPage(frame, { attemptId, token: 'token' }),
  reset: (frame) => resetPage(frame, { kinds: emailOnly }),
  'reset, code': (frame) => resetCodePage(frame, { resetId: attemptId, passwordLengthMin: 8 }),
  ...accountStates,
  ...organizationStates,
  ...setupStates,
  ...applicationStates,
  'secure-account': (frame) => secureAccountPage(frame, { token: 'sn_example' }),
  ...apiKeyStates,
  'sign-out': (frame) => signOutPage(frame, { name: 'Ada Lovelace', redirectTo: undefined }),
  expired: (frame) => {
    const { text } = frame
    const actions = [{ href: startAt, label: text('common.startAgain') }]
    return messagePage(frame, { title: text('expired.title'), lead: text('expired.lead'), actions })
  },
  failed: (frame) => {
    const { text } = frame
    const detail = text('failed.reference', { id: '01jd7s0v5c8mhf1q2v3w4x5y6z' })
    const actions = [{ href: startAt, label: text('common.startAgain') }]
    return messagePage(frame, { title: text('failed.title'), lead: text('failed.lead'), detail, actions })
  },
}
