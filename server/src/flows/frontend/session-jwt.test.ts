// A JWT of the user's session as a credential of the frontend interface: it can read as long as the session lives, and change nothing.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  type FrontendEndpoint,
  type FrontendEndpointId,
  type SignInAnswer,
  type Tenant,
  frontendEndpoints,
} from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeOnEachEngine } from '../../../test/harness/databases/databases.ts'
import { assertWritesNothing } from '../../../test/harness/databases/table-dump.ts'
import { createTenant } from '../../../test/harness/factories.ts'
import { startServiceWithClock } from '../../../test/harness/people/sessions.ts'
import { browserOf, signedInUser } from '../../../test/harness/people/signed-in-user.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { type FrontendWorld, createFrontendWorld, pathNames } from '../../../test/matrix/frontend-world.ts'
import { rotateToken } from '../../identity/sessions/rotate-token.ts'
import { hashToken } from '../../platform/crypto/tokens.ts'

const all = Object.values(frontendEndpoints) as readonly FrontendEndpoint[]
const idOf = ({ id }: FrontendEndpoint) => id as FrontendEndpointId

describeOnEachEngine('a JWT of a session', (open) => {
  let service: TestService
  let advance: (ms: number) => void
  let tenant: Tenant
  let world: FrontendWorld
  before(async () => {
    ;({ service, advance } = await startServiceWithClock((await open()).database))
    ;({ tenant } = await createTenant(service))
    world = await createFrontendWorld(service, tenant)
  })
  after(() => service.app.close())

  const jwtOf = async (browser: Browser, ttl = 60) =>
    (await browser.ok<{ jwt: string }>('createOwnToken', { body: { ttl } })).jwt
  const holding = (jwt: string, publicKey = tenant.publicKey) =>
    new Browser(service, publicKey, { authorization: `Bearer ${jwt}` })
  const paramsOf = (endpoint: FrontendEndpoint) => {
    const params = pathNames[idOf(endpoint)]?.(world)
    return params === undefined ? {} : { params }
  }

  // Guards: session-jwts
  it('can read whatever its session can', async () => {
    const { browser } = world.person
    const reader = holding(await jwtOf(browser, 900))
    const reads = all.filter(({ session, method }) => session === 'required' && method === 'GET')
    const read: string[] = []
    for (const endpoint of reads) {
      const expected = await browser.call(idOf(endpoint), paramsOf(endpoint))
      const answer = await reader.call(idOf(endpoint), paramsOf(endpoint))
      assert.deepEqual([answer.status, answer.body.data], [expected.status, expected.body.data], endpoint.id)
      if (answer.status === 200) read.push(endpoint.id)
    }
    assert.ok(read.length > 10, read.join())
  })

  // Guards: session-jwts
  it('can change nothing, and the answer says what can', async () => {
    const jwt = await jwtOf(world.person.browser, 900)
    const changes = all.filter(({ session, method }) => session !== 'none' && method !== 'GET')
    assert.ok(changes.length > 30)
    await assertWritesNothing(service.deps.db, async () => {
      for (const endpoint of changes) {
        const { body } = endpoint.example as { body?: object }
        const request = { ...paramsOf(endpoint), ...(body === undefined ? {} : { body }) }
        const { text } = await holding(jwt).refused(idOf(endpoint), 'session_token_required', request)
        assert.match(text, /send the session token \(se_…\) as Authorization: Bearer/)
      }
    })
  })

  // Guards: session-jwts
  it('is invalid once its session has ended, for whatever reason', async () => {
    const { user, browser } = await signedInUser(service, tenant)
    const elsewhere = await browserOf(service, tenant, user.id)
    const jwt = await jwtOf(browser, 900)
    const jwtElsewhere = await jwtOf(elsewhere.browser, 900)
    await holding(jwt).ok('getProfile')
    const params = { id: decodeJwt<{ claims: { sessionId: string } }>(jwt).claims.sessionId }
    await service.ok('deleteSession', { params })
    await holding(jwt).refused('getProfile', 'unauthenticated')
    await holding(jwtElsewhere).ok('getProfile')
    await service.ok('suspendUser', { params: { id: user.id } })
    await holding(jwtElsewhere).refused('getProfile', 'unauthenticated')
  })

  it('stays valid if its session continues under another token', async () => {
    const { browser } = await signedInUser(service, tenant)
    const jwt = await jwtOf(browser, 900)
    const token = browser.headers['authorization']?.slice('Bearer '.length) ?? ''
    const { deps } = service
    const session = await deps.sessions.find(hashToken(token))
    assert.ok(session !== undefined)
    await deps.db.transaction((tx) => rotateToken(deps, tx, session))
    await browser.refused('getProfile', 'unauthenticated')
    await holding(jwt).ok('getProfile')
  })

  // Guards: session-jwts
  it('is reported as expired only if everything else about it is right', async () => {
    const { browser } = await signedInUser(service, tenant)
    const jwt = await jwtOf(browser, 60)
    await holding(jwt).ok('getProfile')
    advance(66_000)
    const { status, headers } = await holding(jwt).refused('getProfile', 'token_expired')
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer error="invalid_token"'])
    await holding(await jwtOf(browser)).ok('getProfile')
    // A token that somebody has altered is reported as invalid, not as expired.
    const [head = '', , signature = ''] = jwt.split('.')
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(jwt), sub: world.person.user.id })).toString('base64url')
    await holding(`${head}.${claims}.${signature}`).refused('getProfile', 'unauthenticated')
  })

  // Guards: session-jwts
  it('is a foreign credential at another tenant, even beside the right key', async () => {
    const other = (await createTenant(service)).tenant
    const stranger = await signedInUser(service, other)
    const foreign = await jwtOf(stranger.browser, 900)
    await holding(foreign).refused('getProfile', 'unauthenticated')
    const own = await jwtOf(world.person.browser, 900)
    await holding(own, other.publicKey).refused('getProfile', 'unauthenticated')
    await holding(foreign, other.publicKey).ok('getProfile')
  })

  // Guards: session-jwts
  it('is accepted neither in a cookie nor as junk with dots', async () => {
    const jwt = await jwtOf(world.person.browser, 900)
    const browser = new Browser(service, tenant.publicKey)
    for (const name of ['__Host-sid', `__Host-sid-${tenant.id}`]) browser.cookies.set(name, jwt)
    await browser.refused('getProfile', 'unauthenticated')
    for (const junk of ['a.b.c', '..', 'a.b', `${jwt}.x`, `${jwt}x`, 'eyJ.eyJ.eyJ']) {
      await holding(junk).refused('getProfile', 'unauthenticated')
    }
  })

  it('cannot read an attempt, which stays bound to the browser that began it', async () => {
    const reader = holding(await jwtOf(world.person.browser, 900))
    const { signInAttempt } = await new Browser(service, tenant.publicKey).ok<SignInAnswer>('createSignIn', {
      body: {},
    })
    await reader.refused('getSignIn', 'not_found', { params: { id: signInAttempt.id } })
  })
})
