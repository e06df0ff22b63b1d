import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { type Answer, describeService } from '../../../test/harness/service.ts'

const [first, second, third, fourth] = [
  'first phrase one',
  'second phrase two',
  'third phrase three',
  'fourth phrase four',
]

const readCodes = ({ body }: Answer) => ((body as { issues?: { code: string }[] }).issues ?? []).map(({ code }) => code)

describeService('the passwords that a user had before', (service) => {
  async function world(passwordHistory: number) {
    const tenant = await tenantWith(service(), { passwordHistory })
    return { tenant, ...(await signedInUser(service(), tenant, { password: first })) }
  }

  it('cannot be chosen again as long as they count', async () => {
    const { browser } = await world(2)
    const change = (oldPassword: string, password: string) => ({ body: { oldPassword, password } })
    for (const [from, to] of [
      [first, second],
      [second, third],
    ] as const) {
      for (const used of from === first ? [first] : [first, second]) {
        const answer = await browser.refused('updateOwnPassword', 'validation_failed', change(from, used))
        assert.deepEqual(readCodes(answer), ['password_reused'])
      }
      await browser.ok('updateOwnPassword', change(from, to))
    }
    await browser.ok('updateOwnPassword', change(third, first))
  })

  it('can be chosen again where the tenant does not count them', async () => {
    const { browser } = await world(0)
    await browser.ok('updateOwnPassword', { body: { oldPassword: first, password: first } })
  })

  // Guards: password-history
  it('are told at a reset only to whoever has the code, which then sets another one', async () => {
    const { tenant, email, browser } = await world(3)
    await browser.ok('updateOwnPassword', { body: { oldPassword: first, password: second } })
    const anybody = new Browser(service(), tenant.publicKey)
    type Reset = { passwordReset: { id: string } }
    const { passwordReset } = await anybody.ok<Reset>('createPasswordReset', { body: { identifier: email } })
    const params = { id: passwordReset.id }
    const code = (await latestMessageTo(service().deps, email)).code ?? ''
    const reset = (body: object) => ({ params, body })
    for (const password of [first, second, third])
      await anybody.refused('attemptPasswordReset', 'factor_refused', reset({ code: 'wrong1', password }))
    for (const password of [first, second])
      assert.deepEqual(
        readCodes(await anybody.refused('attemptPasswordReset', 'validation_failed', reset({ code, password }))),
        ['password_reused'],
      )
    await anybody.ok('attemptPasswordReset', reset({ code, password: third }))
    const signIn = { identifier: email, strategy: 'email_password', password: third }
    await anybody.ok('createSignIn', { body: signIn })
  })

  it('are refused at a sign-in that asks for another one, too', async () => {
    const { tenant, user, email } = await world(2)
    await service().ok('changeUserPassword', { params: { id: user.id }, body: { password: fourth } })
    const browser = new Browser(service(), tenant.publicKey)
    const signIn = { identifier: email, strategy: 'email_password', password: fourth }
    for (const newPassword of [fourth, first]) {
      const answer = await browser.refused('createSignIn', 'validation_failed', { body: { ...signIn, newPassword } })
      assert.deepEqual(readCodes(answer), ['password_reused'], newPassword)
    }
    await browser.ok('createSignIn', { body: { ...signIn, newPassword: second } })
  })
})
