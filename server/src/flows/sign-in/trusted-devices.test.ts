// "Do not ask on this device": for some days a device is spared the second factor, never the first, and never where an application or a page
// asks for the second one.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Authenticator, SignInAnswer, TrustedDevice } from '@bailiwick/contract'
import type { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { type Person, password, signedInPerson } from '../../../test/harness/people/people.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'

const day = 24 * 60 * 60_000

describeOnEachEngine('a trusted device', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
  })
  after(() => service.app.close())

  const settings = (tenantId: string, body: object) => service.ok('putAuthTenant', { params: { id: tenantId }, body })

  /** Signs in with both factors, in a browser of its own that it asks not to be asked in again. */
  async function trusting(person: Person, secret: string, trustDevice = true) {
    const browser = person.elsewhere()
    // Each code is accepted once.
    advance(30_000)
    const { signInAttempt } = await person.begin(browser)
    const body = { strategy: 'authenticator_code', code: person.codeOf(secret), trustDevice }
    await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
    return browser
  }

  async function world(trustedDeviceDays = 30) {
    const { tenant } = await createTenant(service)
    await settings(tenant.id, { trustedDeviceDays })
    const person = await signedInPerson(service, tenant)
    const { secret } = await person.addApp()
    return { tenant, person, secret }
  }

  const status = async (person: Person, browser: Browser) => (await person.begin(browser)).signInAttempt.status

  it('is not asked for the second factor until the days are over, and its sessions count as one factor', async () => {
    const { tenant, person, secret } = await world()
    const browser = await trusting(person, secret)
    const { signInAttempt, sessionUser } = await person.begin(browser)
    assert.equal(signInAttempt.status, 'complete')
    assert.equal(sessionUser?.acr, 'urn:bailiwick:1fa')
    assert.equal(await status(person, person.elsewhere()), 'needs_factor_two', 'other devices are asked')
    advance(29 * day)
    assert.equal(await status(person, browser), 'complete')
    advance(2 * day)
    assert.equal(await status(person, browser), 'needs_factor_two')
    const [event] = await storedEvents(service, tenant.id, 'trusted_device.created')
    assert.equal((event?.data as { factor?: string } | undefined)?.factor, 'authenticator_code')
  })

  it('is asked as before where the user did not ask for it, or the tenant allows no days, or fewer than before', async () => {
    const { tenant, person, secret } = await world()
    assert.equal(await status(person, await trusting(person, secret, false)), 'needs_factor_two')
    const browser = await trusting(person, secret)
    await settings(tenant.id, { trustedDeviceDays: 1 })
    assert.equal(await status(person, browser), 'complete')
    advance(day)
    assert.equal(await status(person, browser), 'needs_factor_two')
    await settings(tenant.id, { trustedDeviceDays: 0 })
    assert.equal(await status(person, await trusting(person, secret)), 'needs_factor_two')
  })

  // Guards: second-factors
  it('is asked again where a proof of the second factor is wanted', async () => {
    const { person, secret } = await world()
    const browser = await trusting(person, secret)
    await person.begin(browser)
    const body = { level: 'second_factor' }
    const { signInAttempt } = await browser.ok<SignInAnswer>('createVerification', { body })
    assert.equal(signInAttempt.status, 'needs_factor_two')
  })

  // Guards: second-factors
  it('is trusted for its own user alone, by a token that nobody had before', async () => {
    const { tenant, person, secret } = await world()
    const other = await signedInPerson(service, tenant)
    await other.addApp()
    const device = (browser: Browser) => [...browser.cookies].find(([name]) => name.startsWith('__Host-device'))
    // The user signs in with a device token that somebody else knows.
    const browser = person.elsewhere()
    const known = device(person.browser) ?? ['', '']
    browser.cookies.set(...known)
    advance(30_000)
    const { signInAttempt } = await person.begin(browser)
    const body = { strategy: 'authenticator_code', code: person.codeOf(secret), trustDevice: true }
    await browser.ok('attemptSecondFactor', { params: { id: signInAttempt.id }, body })
    assert.notDeepEqual(device(browser), known)
    assert.equal(await status(person, browser), 'complete')
    assert.equal(await status(person, person.browser), 'needs_factor_two')
    assert.equal(await status(other, browser), 'needs_factor_two')
  })

  const changes: Readonly<Record<string, (person: Person, browser: Browser) => Promise<unknown>>> = {
    'the user changes the password': (_person, browser) =>
      browser.ok('updateOwnPassword', { body: { oldPassword: password, password: `${password} anew` } }),
    'an administrator sets the password': ({ user }) =>
      service.ok('changeUserPassword', { params: { id: user.id }, body: { password: `${password} anew` } }),
    'a passkey is added': (person) => person.addPasskey(),
    'the user signs out everywhere else': (_person, browser) => browser.ok('endOtherOwnSessions'),
    'the user is suspended and reactivated': async ({ user }) => {
      await service.ok('suspendUser', { params: { id: user.id } })
      await service.ok('unsuspendUser', { params: { id: user.id } })
    },
    'the user removes it': async (_person, browser) => {
      const { trustedDevices } = await browser.ok<{ trustedDevices: TrustedDevice[] }>('listTrustedDevices')
      assert.deepEqual(
        trustedDevices.map(({ current, factor }) => [current, factor]),
        [[true, 'authenticator_code']],
      )
      await browser.ok('deleteTrustedDevice', { params: { id: trustedDevices[0]?.id ?? '' } })
    },
    'an administrator removes it': async ({ user }) => {
      const found = await service.ok<Authenticator[]>('listUserAuthenticators', { params: { id: user.id } })
      const { id = '' } = found.find(({ type }) => type === 'trusted_device') ?? {}
      await service.ok('deleteUserAuthenticator', { params: { userId: user.id, id } })
    },
  }
  for (const [when, change] of Object.entries(changes)) {
    // Guards: second-factors
    it(`is asked again after ${when}`, async () => {
      const { person, secret } = await world()
      const browser = await trusting(person, secret)
      await change(person, browser)
      const { count } = (await service.deps.db.first<{ count: number }>(
        sql`SELECT count(*) AS count FROM trusted_devices
          WHERE user_id = ${person.user.id}`,
      )) ?? { count: -1 }
      assert.equal(count, 0)
    })
  }
})
