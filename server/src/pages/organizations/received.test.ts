// Invitations on the pages of users who sign in without the link of the message.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PageBrowser, type Shown } from '../../../test/harness/browser/page-browser.ts'
import { hrefOf, newHome, pathOf, signInAt, visitor } from '../../../test/harness/browser/page-visitors.ts'
import { createUser, unique } from '../../../test/harness/factories.ts'
import { password } from '../../../test/harness/people/people.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const readRows = ({ document }: Shown) =>
  [...document.querySelectorAll('.list > li')].map(({ textContent }) => textContent.trim())

/** A user with a verified address who has not signed in since the invitations to these organizations. */
async function invited(service: TestService, names: readonly string[], auth: object = {}) {
  const home = await newHome(service, auth)
  const email = `${unique()}@example.com`
  const user = await createUser(service, home.tenant.id, { email, password, name: 'Grace' })
  await service.ok('verifyEmailAddress', { body: { id: user.primaryEmailId } })
  for (const name of names) {
    const body = { tenantId: home.tenant.id, name }
    const { id: organizationId } = await service.ok<{ id: string }>('createOrganization', { body })
    await service.ok('createOrganizationInvitation', { body: { organizationId, email } })
  }
  return { home, email }
}

describeService('open invitations', (service) => {
  it('are offered after a sign-in, one after the other, before it leads to the app', async () => {
    const { home, email } = await invited(service(), ['Research', 'Sales'], { homeUri: 'http://localhost:3000/' })
    const browser = new PageBrowser(service())
    const offer = await signInAt(browser, home.at, email)
    assert.equal(offer.title, 'You have been invited')
    assert.equal(readRows(offer).length, 2)
    const next = await browser.send(offer, {}, { button: 'Accept – Research' })
    assert.match(next.text, /You are a member now/)
    assert.deepEqual(
      readRows(next).map((row) => /Accept – (.*)/.exec(row)?.[1]),
      ['Sales'],
    )
    const end = await browser.send(next, {}, { button: 'Decline – Sales' })
    assert.equal(hrefOf(end, 'Continue'), 'http://localhost:3000/')
    const list = await browser.open(`${home.at}/organizations`)
    assert.match(readRows(list).join(), /Research/)
    assert.doesNotMatch(list.text, /Sales/)
    const again = await signInAt(new PageBrowser(service()), home.at, email)
    assert.equal(hrefOf(again, 'Continue'), 'http://localhost:3000/')
  })

  it('are not offered again for a while to a user who puts them off, but stay in the list', async () => {
    const { home, email } = await invited(service(), ['Research'])
    const browser = new PageBrowser(service())
    const offer = await signInAt(browser, home.at, email)
    assert.equal(pathOf(await browser.send(offer, {}, { button: 'Not now' })), `${home.at}/account`)
    await browser.send(await browser.open(`${home.at}/sign-out`), {})
    assert.equal(pathOf(await signInAt(browser, home.at, email)), `${home.at}/account`)
    const list = await browser.open(`${home.at}/organizations`)
    const joined = await browser.send(list, {}, { button: 'Accept – Research' })
    assert.match(joined.text, /You are a member now/)
    assert.match(readRows(joined).join(), /Research/)
  })

  it('lead nowhere that the tenant does not list, and are answered only by the invited user', async () => {
    const { home, email } = await invited(service(), ['Research'])
    const browser = new PageBrowser(service())
    const offer = await signInAt(browser, home.at, email)
    const elsewhere = new URLSearchParams({ redirect_to: 'https://elsewhere.example/' }).toString()
    const other = await visitor(service(), home)
    const refused = await other.browser.open(`${home.at}/organizations/received?after=signIn&${elsewhere}`)
    assert.match(refused.title, /not allowed/)
    const hidden = (name: string) => offer.document.querySelector(`[name=${name}]`)?.getAttribute('value') ?? ''
    const replace = { organizationId: hidden('organizationId'), invitationId: hidden('invitationId') }
    const own = await invited(service(), ['Sales'])
    const stranger = new PageBrowser(service())
    const form = await signInAt(stranger, own.home.at, own.email)
    const answered = await stranger.send(form, {}, { button: 'Accept – Sales', replace })
    assert.match(answered.errors['form'] ?? answered.text, /answered in the meantime/)
  })
})
