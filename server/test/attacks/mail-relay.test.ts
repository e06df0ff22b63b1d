// Nobody turns the deployment's mail server into a relay of their own: neither by many tenants, nor by spellings of an address, nor by
// words that the operator has not seen.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignUpAnswer, Tenant, TenantLimits } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createOrganization, createTenant, createUser, unique } from '../harness/factories.ts'
import { sendMessages } from '../harness/messages.ts'
import { MailServer } from '../harness/outside/mail-server.ts'
import { openSession, signInConsoleUser } from '../harness/people/sessions.ts'
import { testEnv } from '../harness/service.ts'
import { describeOnTwoNodes } from '../nodes/two-nodes.ts'

const hourMs = 60 * 60_000
const perDay = 6
const perRecipient = 4
const rounds = 30

const mails = await MailServer.start()
after(() => mails.stop())

const env = {
  ...testEnv,
  BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
  BAILIWICK_SMTP_FROM: 'no-reply@operator.example',
  BAILIWICK_MESSAGES_PER_TENANT_PER_DAY: `${perDay}`,
  BAILIWICK_MESSAGES_PER_RECIPIENT_PER_HOUR: `${perRecipient}`,
}
const address = () => `${unique()}@example.com`

describeOnTwoNodes(
  "the deployment's mail server as a relay",
  (nodes) => {
    before(() => {
      // Noon, so that no day ends while messages of it are counted.
      nodes().stopClocks()
      nodes().advance((36 * hourMs - (nodes().one.deps.clock.nowMs() % (24 * hourMs))) % (24 * hourMs))
    })

    const send = async () => {
      nodes().advance(1000)
      await sendMessages(nodes().one.deps)
    }
    const mailTo = async (to: string) => {
      await send()
      const mail = mails.received.findLast((each) => each.to.includes(to))
      return mail === undefined ? undefined : mails.parse(mail)
    }
    const newTenant = (n: number, token: string) =>
      nodes()
        .inTurn(n)
        .ok<Tenant>('createTenant', {
          body: { name: `Shop ${unique()}`.slice(0, 32), environment: 'production' },
          token,
        })
    const invite = (n: number, tenantId: string, token: string, email = address()) =>
      nodes()
        .inTurn(n)
        .call('inviteTenantMember', { body: { tenantId, email, roleAdmin: true }, token })
    /** Whether one message more left. */
    async function relay(n: number, token: string) {
      const { id } = await newTenant(n, token)
      const { status } = await invite(n, id, token)
      await nodes().inTurn(n).ok('deleteTenant', { params: { id }, token })
      return status === 200
    }
    async function countRelayed(token: string) {
      let sent = 0
      for (let n = 0; n < rounds; n++) sent += Number(await relay(n, token))
      return sent
    }

    it('sends no more for tenants that are created, used and deleted one after the other', async () => {
      const { token, user } = await signInConsoleUser(nodes().one)
      assert.equal(await countRelayed(token), perDay)
      const { id } = await newTenant(0, token)
      const { body } = await invite(0, id, token)
      assert.match(JSON.stringify(body), /this tenant's creator/)
      nodes().advance(24 * hourMs)
      const tomorrow = await openSession(nodes().one, user.tenantId, user.id)
      assert.equal(await relay(0, tomorrow.token), true)
    })

    it('sends no more for the tenants of addresses that an attacker invites', async () => {
      const { token } = await signInConsoleUser(nodes().one)
      const email = address()
      const { id } = await newTenant(0, token)
      assert.equal((await invite(0, id, token, email)).status, 200)
      const invitationToken = /ti_[\w-]+/.exec((await mailTo(email))?.text ?? '')?.[0]
      const consoleKey = (await nodes().one.ok<{ consolePublicKey: string }>('getMeta', { token: null }))
        .consolePublicKey
      const { sessionUser } = await new Browser(nodes().one, consoleKey).ok<SignUpAnswer>('createSignUp', {
        body: { invitationToken, password: 'correct horse battery staple' },
      })
      const { tenantId, id: userId } = sessionUser ?? assert.fail('nobody signed up')
      const accomplice = await openSession(nodes().one, tenantId, userId)
      // One was the invitation itself.
      assert.equal(await countRelayed(accomplice.token), perDay - 1)
      assert.equal(await countRelayed(token), 0)
    })

    it('sends what the operator has set for a tenant, whatever its creator has sent', async () => {
      const { token } = await signInConsoleUser(nodes().one)
      assert.equal(await countRelayed(token), perDay)
      const { id } = await newTenant(0, token)
      await nodes().one.ok('putTenantLimits', { params: { id }, body: { messagesPerDay: 1 } })
      // The other node hears of the creator's membership a moment later.
      const inviteElsewhere = async (): Promise<number> => {
        const { status } = await invite(1, id, token)
        return status === 404 ? sleep(10).then(inviteElsewhere) : status
      }
      assert.equal(await inviteElsewhere(), 200)
      assert.equal(await inviteElsewhere(), 429)
    })

    const spellings: Readonly<Record<string, (name: string) => readonly string[]>> = {
      'dots of Gmail': (name) =>
        Array.from({ length: 15 }, (_spelling, at) => `${name.slice(0, at + 1)}.${name.slice(at + 1)}@gmail.com`),
      'tags and both domains of Gmail': (name) =>
        ['a', 'b.c', 'D'].flatMap((tag) => [`${name}+${tag}@gmail.com`, `${name}+${tag}@GoogleMail.com`]),
      'dots, hyphens and underscores of Proton': (name) =>
        ['.', '-', '_'].flatMap((mark) =>
          ['proton.me', 'protonmail.com', 'pm.me'].map((domain) => `x${mark}${name}@${domain}`),
        ),
    }
    for (const [which, spell] of Object.entries(spellings)) {
      it(`counts ${which} as one recipient`, async () => {
        const { tenant } = await createTenant(nodes().one)
        await nodes().one.ok('putTenantLimits', { params: { id: tenant.id }, body: { messagesPerDay: 100 } })
        const { id: organizationId } = await createOrganization(nodes().one, tenant.id)
        const name = unique().replaceAll(/[^a-z0-9]/g, '')
        let sent = 0
        for (const [n, email] of spell(name).entries()) {
          const { status } = await nodes()
            .inTurn(n)
            .call('createOrganizationInvitation', { body: { organizationId, email } })
          sent += Number(status === 200)
        }
        assert.equal(sent, perRecipient)
      })
    }

    const spam = 'Claim your prize at https://evil.example/win'

    /** A tenant that says the same wherever it can. */
    async function loudTenant() {
      const { tenant } = await createTenant(nodes().one)
      const params = { id: tenant.id }
      const create = (name: string) =>
        nodes().one.ok<{ id: string }>('createTemplate', {
          body: { tenantId: tenant.id, type: 'email', name, subject: spam, body: `<p>${spam}</p>` },
        })
      for (const name of ['password-reset', 'password-reset.en', 'organization-invitation']) await create(name)
      const { id } = await create('loud')
      await nodes().one.ok('putAuthTenant', {
        params,
        body: { codeVerificationEmailTemplateId: id, strategyEmailCodeEnabled: true },
      })
      const texts = { en: { 'message.codeIntro': spam, 'message.resetIntro': spam, 'message.footer': spam } }
      await nodes().one.ok('putPages', { params, body: { texts, supportUri: 'https://evil.example/win' } })
      return tenant
    }

    /** The mails that one person can cause for another address. */
    async function loudMails() {
      const tenant = await loudTenant()
      const email = address()
      const user = await createUser(nodes().one, tenant.id, { email, name: spam })
      await nodes().one.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
      const anonymous = () => new Browser(nodes().one, tenant.publicKey)
      const causes = [
        () => anonymous().ok('createPasswordReset', { body: { identifier: email } }),
        () => anonymous().ok('createSignIn', { body: { identifier: email, strategy: 'email_code' } }),
        async () => {
          const organization = await nodes().one.ok<{ id: string }>('createOrganization', {
            body: { tenantId: tenant.id, name: spam },
          })
          await nodes().one.ok('createOrganizationInvitation', { body: { organizationId: organization.id, email } })
        },
      ]
      return { tenant, email, causes }
    }

    it("says nothing in a tenant's own words until the operator trusts the tenant", async () => {
      const { tenant, email, causes } = await loudMails()
      for (const cause of causes) {
        await cause()
        const said = await mailTo(email)
        assert.ok(said?.html !== undefined && said.text !== undefined)
        assert.match(said.text, new RegExp(tenant.name))
        assert.doesNotMatch(JSON.stringify(said), /prize|evil/)
      }
      const params = { id: tenant.id }
      const put = (body: object) => nodes().other.ok<TenantLimits>('putTenantLimits', { params, body })
      assert.equal((await nodes().one.ok<TenantLimits>('getTenantLimits', { params })).trusted, false)
      assert.equal((await put({ trusted: true })).trusted, true)
      await causes[0]?.()
      assert.match(JSON.stringify(await mailTo(email)), /prize/)
      assert.equal((await put({ messagesPerDay: 50 })).trusted, true)
      assert.deepEqual([(await put({ trusted: false })).trusted, (await put({})).messagesPerDay], [false, 50])
    })

    it('lets a tenant not trust itself', async () => {
      const { token } = await signInConsoleUser(nodes().one)
      const { id } = await newTenant(0, token)
      await nodes().one.refused('putTenantLimits', 'forbidden', { params: { id }, body: { trusted: true }, token })
    })
  },
  env,
)
