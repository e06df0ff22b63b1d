// Everything that can be used once: each is created afresh, and then redeemed at whichever node a test says.
import type { OwnEmail, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { SoftwareAuthenticator } from '../harness/browser/software-authenticator.ts'
import { createOrganization, createTenant, createUpload, sendBytes, unique } from '../harness/factories.ts'
import { png } from '../harness/files/images.ts'
import { invitationTokenTo, latestMessageTo } from '../harness/messages.ts'
import type { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { type Person, preparePasskey, signedInPerson } from '../harness/people/people.ts'
import { answered } from '../harness/people/puzzles.ts'
import { flagsOf, signInConsoleUser } from '../harness/people/sessions.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { begin, createSocialWorld, locationOf, page, person } from '../harness/people/social-sign-in.ts'
import type { Answer, TestService } from '../harness/service.ts'
import { type TwoNodes, browserAt } from './two-nodes.ts'

/** One request that redeems it, at that node. */
export type Redeem = (node: TestService, n: number) => Promise<Answer>
export type Redeemable = (nodes: TwoNodes, idp: FakeIdentityProvider) => Promise<Redeem>

const app = { 'x-session-transport': 'body' }
const password = 'correct horse battery staple'
const newEmail = () => `${unique()}@example.com`
const codeTo = async ({ other }: TwoNodes, email: string) => (await latestMessageTo(other.deps, email)).code ?? ''

async function verifiedUser(node: TestService, auth: object = {}) {
  const tenant = await tenantWith(node, auth)
  return { tenant, ...(await signedInUser(node, tenant)) }
}

const signIn =
  (strategy: 'email_code' | 'email_link'): Redeemable =>
  async ({ one, other }) => {
    const { tenant, email } = await verifiedUser(one, {
      strategyEmailCodeEnabled: true,
      strategyEmailLinkEnabled: true,
    })
    const browser = new Browser(other, tenant.publicKey)
    const body = { identifier: email, strategy, redirectUri: page }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createSignIn', { body })
    const message = await latestMessageTo(other.deps, email)
    const code = strategy === 'email_code' ? message.code : readToken(message.link)
    const step = { params: { id: signInAttempt.id }, body: { strategy, code } }
    return (node) => browserAt(node, browser).call('attemptFirstFactor', step)
  }

const readToken = (link: string | null) => new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('token') ?? ''
const ticketOf = (answer: Answer) => new URLSearchParams(locationOf(answer).hash.slice(1)).get('ticket') ?? ''

const signUp: Redeemable = async (nodes) => {
  const tenant = await tenantWith(nodes.one)
  const browser = new Browser(nodes.other, tenant.publicKey)
  const email = newEmail()
  const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email, password } })
  const params = { id: signUpAttempt.id }
  await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
  const step = { params, body: { strategy: 'email_code', code: await codeTo(nodes, email) } }
  return (node) => browserAt(node, browser).call('attemptVerification', step)
}

const passwordReset: Redeemable = async (nodes) => {
  const { tenant, email } = await verifiedUser(nodes.one)
  const browser = new Browser(nodes.other, tenant.publicKey)
  type Reset = { passwordReset: { id: string } }
  const { passwordReset: reset } = await browser.ok<Reset>('createPasswordReset', { body: { identifier: email } })
  const step = { params: { id: reset.id }, body: { code: await codeTo(nodes, email), password } }
  return (node) => browserAt(node, browser).call('attemptPasswordReset', step)
}

const puzzle: Redeemable = async ({ one, other }) => {
  const tenant = await tenantWith(one, { challengeOnPasswordReset: 'always', challengeDifficulty: 1000 })
  const browser = new Browser(other, tenant.publicKey)
  const headers = await answered(browser, 'password_reset')
  return (node) => browserAt(node, browser).call('createPasswordReset', { body: { identifier: newEmail() }, headers })
}

const ownEmail: Redeemable = async (nodes) => {
  const { browser } = await verifiedUser(nodes.one)
  const added = newEmail()
  const { email } = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email: added } })
  const params = { id: email.id }
  await browser.ok('prepareOwnEmail', { params })
  const step = { params, body: { code: await codeTo(nodes, added) } }
  return (node) => browserAt(node, browser).call('verifyOwnEmail', step)
}

const socialState: Redeemable = async ({ one, other }, idp) => {
  const { tenant } = await createSocialWorld(one, idp)
  const browser = new Browser(other, tenant.publicKey)
  const back = idp.agree((await begin(browser)).authorizeUri, person())
  return (node) => browserAt(node, browser).visit(back)
}

const signInTicket: Redeemable = async ({ one, other }, idp) => {
  const { tenant } = await createSocialWorld(one, idp)
  const browser = new Browser(other, tenant.publicKey, app)
  const { authorizeUri, flowToken = '', signInAttempt } = await begin(browser)
  const code = ticketOf(await browserAt(one, browser).visit(idp.agree(authorizeUri, person())))
  const headers = { 'x-flow-token': flowToken }
  const step = { params: { id: signInAttempt.id }, body: { strategy: 'oauth', code }, headers }
  return (node) => browserAt(node, browser).call('attemptFirstFactor', step)
}

const signUpTicket: Redeemable = async ({ one, other }, idp) => {
  const { tenant } = await createSocialWorld(one, idp)
  const browser = new Browser(other, tenant.publicKey, app)
  const body = { providerKey: 'google', redirectUri: page }
  const begun = await browser.ok<SignUpAnswer>('createSignUp', { body })
  const code = ticketOf(await browserAt(one, browser).visit(idp.agree(begun.authorizeUri ?? '', person())))
  const headers = { 'x-flow-token': begun.flowToken ?? '' }
  const step = { params: { id: begun.signUpAttempt.id }, body: { strategy: 'oauth', code }, headers }
  return (node) => browserAt(node, browser).call('attemptVerification', step)
}

const connectionTicket: Redeemable = async ({ one, other }, idp) => {
  const { tenant } = await createSocialWorld(one, idp)
  const { browser } = await signedInUser(one, tenant)
  browser.headers['x-session-transport'] = 'body'
  const body = { providerKey: 'google', redirectUri: page }
  type Begun = { authorizeUri: string; flowToken?: string }
  const { authorizeUri, flowToken = '' } = await browserAt(other, browser).ok<Begun>('createOwnConnection', { body })
  const code = ticketOf(await new Browser(one, tenant.publicKey).visit(idp.agree(authorizeUri, person())))
  const step = { body: { code }, headers: { 'x-flow-token': flowToken } }
  return (node) => browserAt(node, browser).call('confirmOwnConnection', step)
}

async function organizationInvitation(nodes: TwoNodes, tenantId: string, email: string): Promise<string> {
  const organization = await createOrganization(nodes.one, tenantId)
  await nodes.one.ok('createOrganizationInvitation', { body: { organizationId: organization.id, email } })
  return invitationTokenTo(nodes.other.deps, email)
}

const invitation: Redeemable = async (nodes) => {
  const { tenant, email, browser } = await verifiedUser(nodes.one)
  const token = await organizationInvitation(nodes, tenant.id, email)
  return (node) => browserAt(node, browser).call('acceptInvitation', { params: { token } })
}

const invitedSignUp: Redeemable = async (nodes) => {
  const tenant = await tenantWith(nodes.one, { passwordsEnabled: false })
  const invitationToken = await organizationInvitation(nodes, tenant.id, newEmail())
  return (node) => new Browser(node, tenant.publicKey).call('createSignUp', { body: { invitationToken } })
}

const tenantInvitation: Redeemable = async ({ one }) => {
  const { tenant } = await createTenant(one)
  const { email, token } = await signInConsoleUser(one)
  const body = { tenantId: tenant.id, email, ...flagsOf('roleViewUsers') }
  const { id } = await one.ok<{ id: string }>('inviteTenantMember', { body })
  return (node) => node.call('acceptOwnInvitation', { params: { id }, token })
}

const upload: Redeemable = async ({ one }) => {
  const { tenant } = await createTenant(one)
  const { uploadUrl } = await createUpload(one, tenant.id)
  return (node) => sendBytes(node, uploadUrl, png(1, 1))
}

/** Two sign-ins of one user, both before the second factor: a code is valid for one of them. */
async function secondFactors({ other }: TwoNodes, owner: Person) {
  const flows = await Promise.all(
    [0, 1].map(async () => {
      const browser = new Browser(other, owner.publicKey)
      return { browser, id: (await owner.begin(browser)).signInAttempt.id }
    }),
  )
  return (code: string): Redeem =>
    (node, n) => {
      const { browser, id } = flows[(n >> 1) % 2] as (typeof flows)[number]
      const step = { params: { id }, body: { strategy: 'authenticator_code', code } }
      return browserAt(node, browser).call('attemptSecondFactor', step)
    }
}

const authenticatorCode: Redeemable = async (nodes) => {
  const owner = await signedInPerson(nodes.one)
  const { secret } = await owner.addApp()
  nodes.advance(30_000)
  return (await secondFactors(nodes, owner))(owner.codeOf(secret))
}

const recoveryCode: Redeemable = async (nodes) => {
  const owner = await signedInPerson(nodes.one)
  const { recoveryCodes } = await owner.addApp()
  return (await secondFactors(nodes, owner))(recoveryCodes[0] ?? '')
}

const authenticatorSetUp: Redeemable = async (nodes) => {
  const owner = await signedInPerson(nodes.one)
  const { secret } = await owner.browser.ok<{ secret: string }>('createAuthenticatorCode')
  const step = { body: { code: owner.codeOf(secret) } }
  return (node) => browserAt(node, owner.browser).call('confirmAuthenticatorCode', step)
}

const newPasskey: Redeemable = async ({ one }) => {
  const owner = await signedInPerson(one)
  const body = { credential: new SoftwareAuthenticator().create(await owner.passkeyOptions()) }
  return (node) => browserAt(node, owner.browser).call('createPasskey', { body })
}

const passkeyChallenge: Redeemable = async ({ one, other }) => {
  const owner = await signedInPerson(one)
  const { key } = await owner.addPasskey()
  const browser = new Browser(other, owner.publicKey)
  const { id, options } = await preparePasskey(browser)
  const step = { params: { id }, body: { strategy: 'security_key', credential: key.get(options) } }
  return (node) => browserAt(node, browser).call('attemptFirstFactor', step)
}

const secondFactorCode: Redeemable = async (nodes) => {
  const auth = { secondFactorRequired: true, strategySecondEmailCodeEnabled: true }
  const tenant = await tenantWith(nodes.one, auth)
  const owner = await signedInPerson(nodes.one, tenant)
  const browser = new Browser(nodes.other, tenant.publicKey)
  const params = { id: (await owner.begin(browser)).signInAttempt.id }
  await browser.ok('prepareSecondFactor', { params, body: { strategy: 'email_code' } })
  const step = { params, body: { strategy: 'email_code', code: await codeTo(nodes, owner.email) } }
  return (node) => browserAt(node, browser).call('attemptSecondFactor', step)
}

/** The proof within a session, whose token each of the requests would replace. */
const verification: Redeemable = async (nodes) => {
  const owner = await signedInPerson(nodes.one)
  const { secret } = await owner.addApp()
  nodes.advance(30_000)
  const body = { level: 'second_factor' }
  const { signInAttempt } = await owner.browser.ok<SignInAnswer>('createVerification', { body })
  const step = {
    params: { id: signInAttempt.id },
    body: { strategy: 'authenticator_code', code: owner.codeOf(secret) },
  }
  return (node) => browserAt(node, owner.browser).call('attemptSecondFactor', step)
}

export const redeemables: Readonly<Record<string, Redeemable>> = {
  'a code to sign in': signIn('email_code'),
  'a link to sign in': signIn('email_link'),
  'a code to sign up': signUp,
  'a code to reset a password': passwordReset,
  'the answer to a puzzle': puzzle,
  'a code for an address of one’s own': ownEmail,
  'the state of a social sign-in': socialState,
  'a ticket of a social sign-in': signInTicket,
  'a ticket of a social sign-up': signUpTicket,
  'a ticket of a social connection': connectionTicket,
  'an invitation to an organization': invitation,
  'an invitation to an organization, to sign up by': invitedSignUp,
  'an invitation to administer a tenant': tenantInvitation,
  'the address of an upload': upload,
  'a code of an authenticator app': authenticatorCode,
  'a recovery code': recoveryCode,
  'a code by e-mail as second factor': secondFactorCode,
  'a proof within a session': verification,
  'the set-up of an authenticator app': authenticatorSetUp,
  'the challenge of a new passkey': newPasskey,
  'the challenge of a sign-in with a passkey': passkeyChallenge,
}
