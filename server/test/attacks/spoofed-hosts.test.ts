// Links in messages are made from the configuration, never from what a request says: somebody who requests a message to a victim cannot
// choose where its link leads. See docs/security-tests.md 2.1.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { OwnEmail, SignInAnswer, SignUpAnswer } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createOrganization, unique } from '../harness/factories.ts'
import { messagesTo, sendMessages } from '../harness/messages.ts'
import { password } from '../harness/people/people.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeOnTwoNodes } from '../nodes/two-nodes.ts'

const evil = 'evil.example'
const spoofed: readonly Readonly<Record<string, string>>[] = [
  { host: evil },
  { host: `id.test@${evil}` },
  { 'x-forwarded-host': evil },
  { 'x-forwarded-proto': 'http', 'x-forwarded-host': evil, 'x-forwarded-port': '80' },
  { 'x-forwarded-server': evil },
  { forwarded: `host=${evil};proto=http` },
  { 'x-host': evil, 'x-original-host': evil },
  { 'x-original-url': `https://${evil}/`, 'x-rewrite-url': `https://${evil}/` },
  { via: `1.1 ${evil}`, 'x-forwarded-for': evil },
]

describeOnTwoNodes('messages', (nodes) => {
  const linking = {
    strategyEmailLinkEnabled: true,
    emailVerificationLinkEnabled: true,
    signInUri: 'https://app.acme.example/sign-in',
    signUpUri: 'https://app.acme.example/sign-up',
  }
  const newEmail = () => `${unique()}@example.com`
  const sentTo = async (email: string) => (await messagesTo(nodes().other.deps, email)).map(({ content }) => content)

  // Guards: links-from-configuration
  it('lead to the tenant’s configured pages, whatever host a request names', async () => {
    const node = nodes().other
    const tenant = await tenantWith(node, linking)
    for (const headers of spoofed) {
      nodes().advance(60_000)
      const { email, browser: own } = await signedInUser(node, tenant, { password })
      const browser = new Browser(node, tenant.publicKey, headers)
      Object.assign(own.headers, headers)
      const body = { identifier: email, strategy: 'email_link' }
      await browser.ok<SignInAnswer>('createSignIn', { body })
      await browser.ok('createPasswordReset', { body: { identifier: email } })
      const added = newEmail()
      const contact = await own.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email: added } })
      await own.ok('prepareOwnEmail', { params: { id: contact.email.id } })
      const fresh = newEmail()
      const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email: fresh, password } })
      await browser.ok('prepareVerification', { params: { id: signUpAttempt.id }, body: { strategy: 'email_link' } })
      const invited = newEmail()
      const { id } = await createOrganization(node, tenant.id)
      const invitation = { organizationId: id, email: invited }
      await node.ok('createOrganizationInvitation', { body: invitation, headers })

      await sendMessages(node.deps)
      const contents = (await Promise.all([email, added, fresh, invited].map(sentTo))).flat()
      assert.equal(contents.length, 5, JSON.stringify(headers))
      assert.ok(!JSON.stringify(contents).includes(evil), `${JSON.stringify(headers)} stands in a message`)
      const links = contents.flatMap((content) => content?.link ?? [])
      assert.equal(links.length, 3)
      for (const link of links) assert.equal(new URL(link).host, 'app.acme.example')
    }
  })

  // Guards: one-request-alone
  it('are never mixed up between two tenants that send at once', async () => {
    const node = nodes().other
    const tenants = await Promise.all(
      ['one.example', 'two.example'].map(async (host) => ({
        host,
        tenant: await tenantWith(node, { ...linking, signUpUri: `https://${host}/sign-up` }),
      })),
    )
    const asked = Array.from({ length: 200 }, (_, n) => ({
      ...(tenants[n % 2] as (typeof tenants)[number]),
      at: nodes().inTurn(n >> 1),
      email: newEmail(),
    }))
    // In waves that a busy machine can handle.
    for (let from = 0; from < asked.length; from += 40) {
      const wave = asked.slice(from, from + 40).map(async ({ tenant, at, email }) => {
        const browser = new Browser(at, tenant.publicKey)
        const { signUpAttempt } = await browser.ok<SignUpAnswer>('createSignUp', { body: { email } })
        await browser.ok('prepareVerification', { params: { id: signUpAttempt.id }, body: { strategy: 'email_link' } })
      })
      await Promise.all(wave)
    }
    await sendMessages(node.deps)
    for (const { host, tenant, email } of asked) {
      const [message, another] = await messagesTo(node.deps, email)
      assert.equal(another, undefined)
      assert.equal(message?.tenant_id, tenant.id)
      assert.equal(new URL(message.content?.link ?? '').host, host)
      assert.ok(message.content?.text.includes(tenant.name))
    }
  })
})
