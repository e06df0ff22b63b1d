// One quota on whatever leaves through the deployment's own channel. Without it, whoever has a tenant has a mail relay.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { ErrorBody, Message, SignInAnswer, TenantLimits } from '@bailiwick/contract'
import { atOnce } from '../../../../test/harness/at-once.ts'
import { Browser } from '../../../../test/harness/browser/frontend.ts'
import { rowCounts, storedEvents } from '../../../../test/harness/databases/stored.ts'
import { assertWritesNothing } from '../../../../test/harness/databases/table-dump.ts'
import { createOrganization, createTenant, createUser, unique } from '../../../../test/harness/factories.ts'
import { sendMessages } from '../../../../test/harness/messages.ts'
import { MailServer } from '../../../../test/harness/outside/mail-server.ts'
import { signedInUser } from '../../../../test/harness/people/signed-in-user.ts'
import { testEnv } from '../../../../test/harness/service.ts'
import { describeOnTwoNodes } from '../../../../test/nodes/two-nodes.ts'
import { cleanUpExpired } from '../../../identity/lockout/clean-up.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { type NewMessage, queueMessage } from './queue-message.ts'

const hourMs = 60 * 60_000
const perRecipientPerHour = 6
const perRecipientPerDay = 8
const reserve = 5
const times = 30

const mail = await MailServer.start()
after(() => mail.stop())
const env = {
  ...testEnv,
  BAILIWICK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  BAILIWICK_SMTP_FROM: 'no-reply@operator.example',
  BAILIWICK_MESSAGES_PER_RECIPIENT_PER_HOUR: `${perRecipientPerHour}`,
  BAILIWICK_MESSAGES_PER_RECIPIENT_PER_DAY: `${perRecipientPerDay}`,
}
const address = () => `${unique()}@example.com`
const mailTo = (to: string) => mail.received.filter((each) => each.to.includes(to)).length

describeOnTwoNodes(
  "the quota of the deployment's own channel",
  (nodes) => {
    before(() => {
      // Noon, so that no day ends while messages of it are counted.
      nodes().stopClocks()
      const { clock } = nodes().one.deps
      nodes().advance((36 * hourMs - (clock.nowMs() % (24 * hourMs))) % (24 * hourMs))
    })

    const limitTo = (tenantId: string, messagesPerDay: number | null) =>
      nodes().one.ok<TenantLimits>('putTenantLimits', { params: { id: tenantId }, body: { messagesPerDay } })
    const limitsOf = (tenantId: string) =>
      nodes().other.ok<TenantLimits>('getTenantLimits', { params: { id: tenantId } })
    const messagesOf = async (tenantId: string) =>
      (await nodes().one.ok<{ data: Message[] }>('listMessages', { params: { tenantId }, query: { perPage: '100' } }))
        .data
    async function withOrganization() {
      const { tenant } = await createTenant(nodes().one)
      return { tenant, organizationId: (await createOrganization(nodes().one, tenant.id)).id }
    }
    const invite = (n: number, organizationId: string, email = address()) =>
      nodes().inTurn(n).call('createOrganizationInvitation', { body: { organizationId, email } })
    const code = (tenantId: string, to: string, more: Partial<NewMessage> = {}): NewMessage => ({
      tenantId: tenantId as TenantId,
      channelType: 'email',
      template: { type: 'verification-code' },
      to,
      userId: null,
      variables: { code: '493817' },
      purpose: 'sign_in',
      ...more,
    })
    const queue = (...messages: NewMessage[]) =>
      nodes().one.deps.db.transaction(async (tx) => {
        for (const message of messages) await queueMessage(tx, nodes().one.deps, message)
      })
    const send = () => {
      // What the node whose clock is ahead has queued is due at the other one too.
      nodes().advance(1000)
      return sendMessages(nodes().one.deps)
    }

    // Guards: mail-relay
    it('lets exactly as many invitations through as it allows when many are sent at once, and writes the others not at all', async () => {
      const { tenant, organizationId } = await withOrganization()
      await limitTo(tenant.id, 11)
      const answers = await atOnce(times, (n) => invite(n, organizationId))
      const sent = answers.filter(({ status }) => status === 200)
      assert.equal(sent.length, 11, answers.map(({ text }) => text).join('\n'))
      for (const { status, body, headers, text } of answers.filter((each) => !sent.includes(each))) {
        assert.deepEqual([status, (body as ErrorBody).code], [429, 'message_quota_reached'], text)
        const seconds = Number(headers['retry-after'])
        assert.ok(seconds > 0 && seconds <= 24 * 60 * 60, `${seconds}`)
        assert.match((body as ErrorBody).message, /operator can raise the limit/)
      }
      const { meta } = await nodes().one.ok<{ meta: { total: number } }>('listOrganizationInvitations', {
        params: { organizationId },
      })
      assert.equal(meta.total, 11)
      assert.equal((await messagesOf(tenant.id)).length, 11)
      assert.equal((await limitsOf(tenant.id)).messagesToday, 11)
      await assertWritesNothing(nodes().one.deps.db, async () => {
        assert.equal((await invite(0, organizationId)).status, 429)
      })
      await send()
      for (const { to, status } of await messagesOf(tenant.id)) assert.deepEqual([status, mailTo(to)], ['sent', 1])
      assert.equal((await limitsOf(tenant.id)).messagesToday, 11, 'none is counted a second time when it is sent')
    })

    // Guards: mail-relay
    it('is raised for one tenant by the operator, with an event, and starts again each day', async () => {
      const { tenant, organizationId } = await withOrganization()
      assert.equal((await limitsOf(tenant.id)).messagesPerDayDefault, 2000)
      const { messagesPerDay, messagesToday } = await limitTo(tenant.id, 1)
      assert.deepEqual([messagesPerDay, messagesToday], [1, 0])
      assert.equal((await invite(0, organizationId)).status, 200)
      assert.equal((await invite(1, organizationId)).status, 429)
      await limitTo(tenant.id, 2)
      assert.equal((await invite(1, organizationId)).status, 200)
      assert.equal((await invite(0, organizationId)).status, 429)
      const events = (await storedEvents(nodes().one, tenant.id)).filter(({ type }) => type === 'tenant.limits_updated')
      assert.equal(events.length, 2)
      nodes().advance(24 * hourMs)
      assert.equal((await limitsOf(tenant.id)).messagesToday, 0)
      for (const n of [0, 1]) assert.equal((await invite(n, organizationId)).status, 200)
      assert.equal((await invite(0, organizationId)).status, 429)
      assert.equal((await limitTo(tenant.id, null)).messagesPerDay, null)
      assert.equal((await invite(1, organizationId)).status, 200)
    })

    // Guards: mail-relay
    it('counts invitations to administer a tenant as that tenant’s, and holds where members and end users invite', async () => {
      const { tenant } = await createTenant(nodes().one)
      await limitTo(tenant.id, 1)
      const body = { tenantId: tenant.id, email: address() }
      await nodes().one.ok('inviteTenantMember', { body })
      assert.equal((await limitsOf(tenant.id)).messagesToday, 1)
      await nodes().other.refused('inviteTenantMember', 'message_quota_reached', {
        body: { ...body, email: address() },
      })
      const { browser } = await signedInUser(nodes().one, tenant)
      const { organization } = await browser.ok<{ organization: { id: string } }>('createOwnOrganization', {
        body: { name: 'Research' },
      })
      const params = { id: organization.id }
      await browser.refused('sendInvitation', 'message_quota_reached', { params, body: { email: address() } })
      await limitTo(tenant.id, 2)
      const { invitation } = await browser.ok<{ invitation: { id: string } }>('sendInvitation', {
        params,
        body: { email: address() },
      })
      const resend = { params: { ...params, invitationId: invitation.id } }
      await browser.refused('resendInvitation', 'message_quota_reached', resend)
      await limitTo(tenant.id, 3)
      await browser.ok('resendInvitation', resend)
    })

    // Guards: mail-relay
    it('bounds what one mailbox gets from all tenants together, however its address is written, and stores no address', async () => {
      const name = unique()
      const spellings = [`${name}@example.com`, `${name.toUpperCase()}@EXAMPLE.com`, `${name}+news@example.com`]
      const answers = await atOnce(times, async (n) => {
        const { organizationId } = await withOrganization()
        return invite(n, organizationId, spellings[n % spellings.length])
      })
      const textsOf = (given: typeof answers) => given.map(({ text }) => text).join('\n')
      assert.equal(answers.filter(({ status }) => status === 200).length, perRecipientPerHour, textsOf(answers))
      const refused = answers.filter(({ status }) => status === 429)
      assert.equal(refused.length, times - perRecipientPerHour)
      // The clock of one node is ahead of the other's.
      assert.ok(
        refused.every(({ headers }) => Number(headers['retry-after']) <= 3601),
        textsOf(refused),
      )
      const { db } = nodes().one.deps
      const rows = await db.all(sql`SELECT * FROM recipient_quotas LIMIT 1000`)
      assert.doesNotMatch(JSON.stringify(rows), /example|@/i)
      nodes().advance(hourMs + 1000)
      const later = await atOnce(times, async (n) => invite(n, (await withOrganization()).organizationId, spellings[0]))
      const sentLater = later.filter(({ status }) => status === 200).length
      assert.equal(sentLater, perRecipientPerDay - perRecipientPerHour, textsOf(later))
      nodes().advance(24 * hourMs)
      while (await cleanUpExpired(nodes().one.deps));
      assert.equal((await rowCounts(nodes().one))['recipient_quotas'], 0)
    })

    // Guards: mail-relay
    it('is taken by whatever is sent, and what is over it is marked with the reason', async () => {
      const { tenant } = await createTenant(nodes().one)
      await limitTo(tenant.id, 3)
      const purposes = ['sign_in', 'sign_up', 'verification', 'password_reset', 'security_notice', 'send', 'test']
      await queue(...purposes.map((purpose) => code(tenant.id, address(), { purpose })))
      await send()
      const messages = await messagesOf(tenant.id)
      const sent = messages.filter(({ status }) => status === 'sent')
      assert.equal(sent.length, 3)
      for (const each of messages) {
        assert.equal(mailTo(each.to), sent.includes(each) ? 1 : 0)
        if (!sent.includes(each))
          assert.deepEqual([each.status, each.lastError, each.attempts], ['failed', 'tenant_over_quota', 0])
      }
      assert.equal((await limitsOf(tenant.id)).messagesToday, 3)
      // Once there is room again, the tenant has one of them sent.
      await limitTo(tenant.id, 4)
      const [over] = messages.filter(({ status }) => status === 'failed')
      await nodes().one.ok('resendMessage', { params: { id: over?.id ?? '' } })
      await send()
      assert.equal(mailTo(over?.to ?? ''), 1)
    })

    // Guards: mail-relay
    it('answers end users alike, whether or not they exist, and sends nothing', async () => {
      const { tenant } = await createTenant(nodes().one)
      const email = address()
      const user = await createUser(nodes().one, tenant.id, { email })
      await nodes().one.ok('verifyEmailAddress', { body: { id: user.primaryEmailId ?? '' } })
      await limitTo(tenant.id, 0)
      const shapes: unknown[] = []
      for (const identifier of [email, address()]) {
        const browser = new Browser(nodes().one, tenant.publicKey)
        const body = { identifier, strategy: 'email_code' }
        const { status, body: answer } = await browser.call<SignInAnswer>('createSignIn', { body })
        const reset = await browser.call('createPasswordReset', { body: { identifier } })
        shapes.push([status, answer.data.signInAttempt.status, reset.status, Object.keys(answer.data)])
      }
      assert.deepEqual(shapes[0], shapes[1])
      assert.equal((shapes[0] as number[])[0], 200)
      await send()
      const messages = await messagesOf(tenant.id)
      assert.deepEqual(
        messages.map(({ to, status, lastError }) => [to, status, lastError]),
        [
          [email, 'failed', 'tenant_over_quota'],
          [email, 'failed', 'tenant_over_quota'],
        ],
      )
      assert.equal(mailTo(email), 0)
    })

    // Guards: mail-relay
    it('leaves every tenant some messages to a recipient whom others have had mail sent to, and invitations keep no codes back', async () => {
      const to = address()
      const first = await withOrganization()
      const { tenant: second } = await createTenant(nodes().one)
      for (let n = 0; n < perRecipientPerHour; n++)
        assert.equal((await invite(n, (await withOrganization()).organizationId, to)).status, 200)
      assert.equal((await invite(0, first.organizationId, to)).status, 429)
      const codes = (tenantId: string, count: number) => Array.from({ length: count }, () => code(tenantId, to))
      await queue(...codes(first.tenant.id, 2 * perRecipientPerHour))
      await send()
      const sent = async (tenantId: string) =>
        (await messagesOf(tenantId)).filter(({ status }) => status === 'sent').length
      assert.equal(await sent(first.tenant.id), perRecipientPerHour + reserve)
      await queue(...codes(second.id, 2 * perRecipientPerHour))
      await send()
      assert.equal(await sent(second.id), reserve)
      const failed = (await messagesOf(second.id)).find(({ status }) => status === 'failed')
      assert.equal(failed?.lastError, 'recipient_over_quota')
    })

    // Guards: mail-relay
    it("counts nothing that goes through a channel of the tenant's own, until it goes through the deployment's after all", async () => {
      const { tenant, organizationId } = await withOrganization()
      const { id: emailChannelId } = await nodes().one.ok<{ id: string }>('createChannel', {
        body: {
          tenantId: tenant.id,
          name: 'Own',
          key: 'own',
          type: 'email',
          provider: 'dev_inbox',
          providerSettings: {},
        },
      })
      const configure = (body: object) => nodes().one.ok('putAuthTenant', { params: { id: tenant.id }, body })
      await configure({ emailChannelId })
      await limitTo(tenant.id, 1)
      for (const n of [0, 1]) assert.equal((await invite(n, organizationId)).status, 200)
      await send()
      assert.equal((await limitsOf(tenant.id)).messagesToday, 0)
      const [one, other] = [address(), address()]
      for (const email of [one, other]) assert.equal((await invite(0, organizationId, email)).status, 200)
      await configure({ emailChannelId: null })
      await send()
      assert.equal(mailTo(one) + mailTo(other), 1)
      assert.equal((await limitsOf(tenant.id)).messagesToday, 1)
    })
  },
  env,
)
