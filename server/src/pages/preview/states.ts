// The states of the pages that can be previewed, as the tenant's sign-in rules make them, with sample data in place of a person's.
import type { SignInStrategy, TenantAuthSettings } from '@bailiwick/contract'
import {
  type Frame,
  type ShownProvider,
  applicationSignOutPage,
  codePage,
  consentPage,
  enrolmentChoicePage,
  identifierPage,
  messagePage,
  newPasswordPage,
  passwordPage,
  resetPage,
  secondFactorPage,
  secureAccountPage,
  signOutPage,
  signUpPage,
  signedInPage,
  waitlistPage,
  verifyPage,
} from '@bailiwick/pages'
import { firstFields } from '../../flows/sign-up/requirements.ts'
import { firstFactors, offered } from '../../identity/authenticators/offers.ts'
import type { StrategyFacts } from '../../tenancy/auth-configuration/usable-strategies.ts'
import { kindsFor } from '../sign-in/sign-in-start.ts'

export interface PreviewedRules {
  readonly auth: TenantAuthSettings
  readonly facts: StrategyFacts
  readonly providers: readonly ShownProvider[]
}

const attemptId = 'c000000000000000000000000'
const identifier = 'ada.lovelace@example.com'
const step = { attemptId, identifier, startAt: '/sign-in', hasOtherWays: true }
const passwordLengthMin = 8

function signIn(frame: Frame, { auth, facts, providers }: PreviewedRules): string {
  const strategies: readonly SignInStrategy[] = offered(firstFactors(auth, facts))
  if (strategies.length === 0) {
    const { text } = frame
    return messagePage(frame, { title: text('closed.title'), lead: text('closed.lead') })
  }
  return identifierPage(frame, {
    kinds: kindsFor(strategies),
    providers: strategies.includes('oauth') ? providers : [],
    hasPasskeys: strategies.includes('security_key'),
    canSignUp: auth.signUpEnabled,
    canJoinWaitlist: auth.waitlistEnabled,
  })
}

function signUp(frame: Frame, { auth, providers }: PreviewedRules): string {
  const { text } = frame
  if (!auth.signUpEnabled && auth.waitlistEnabled) return waitlistPage(frame, { canSignIn: auth.signInEnabled })
  if (!auth.signUpEnabled)
    return messagePage(frame, { title: text('signUp.closedTitle'), lead: text('signUp.closedLead') })
  return signUpPage(frame, {
    fields: firstFields(auth),
    providers: auth.strategyOAuthEnabled ? providers : [],
    canSignIn: auth.signInEnabled,
    passwordLengthMin,
  })
}

const application = {
  name: 'Grafana',
  pictureUri: null,
  termsUri: 'https://grafana.example/terms',
  policyUri: 'https://grafana.example/privacy',
  host: 'grafana.example',
  isTrusted: true,
}
const scopes = ['openid', 'profile', 'email'].map((name) => ({
  name,
  description: null,
  resource: null,
  isGranted: false,
}))

const consent = (frame: Frame) =>
  consentPage(frame, {
    uid: attemptId,
    application,
    name: identifier,
    scopes,
    organizations: [],
    organizationId: null,
    isDevice: false,
    signInAt: '/sign-in',
  })

/** The request of an application that is over. */
function requestOver(frame: Frame): string {
  const { text } = frame
  const actions = [{ href: '/', label: text('common.startAgain') }]
  return messagePage(frame, { title: text('expired.title'), lead: text('request.lead'), actions })
}

export const previewStates: Readonly<Record<string, (frame: Frame, rules: PreviewedRules) => string>> = {
  'sign-in': signIn,
  password: (frame) => passwordPage(frame, { ...step, strategy: 'email_password', canReset: true }),
  'password-refused': (frame) =>
    passwordPage(frame, {
      ...step,
      strategy: 'email_password',
      canReset: true,
      errors: { password: frame.text('error.wrongPassword') },
    }),
  code: (frame) => codePage(frame, { ...step, strategy: 'email_code', isSentAgain: true }),
  'second-factor': (frame) => secondFactorPage(frame, { attemptId, way: 'app', ways: ['app', 'recovery'] }),
  enrolment: (frame) => enrolmentChoicePage(frame, { attemptId, ways: ['app', 'key'] }),
  'sign-up': signUp,
  verify: (frame) => verifyPage(frame, { attemptId, address: identifier, strategy: 'email_code' }),
  'reset-password': (frame) => resetPage(frame, { kinds: { email: true, phone: false, username: false } }),
  'new-password': (frame) =>
    newPasswordPage(frame, { ...step, strategy: 'email_password', lengthMin: passwordLengthMin }),
  'signed-in': (frame) => signedInPage(frame, { name: 'Ada Lovelace', continueAt: '/', signInAt: '/sign-in' }),
  consent,
  'request-over': requestOver,
  'secure-account': (frame) => secureAccountPage(frame, { token: 'sn_example' }),
  'sign-out': (frame) => signOutPage(frame, { name: 'Ada Lovelace', redirectTo: undefined }),
  'sign-out-of-application': (frame) =>
    applicationSignOutPage(frame, { action: '/', xsrf: '', application: application.name, isProven: false }),
}
