// The answer to a change is the record as it is stored. Regression: verifying an address answered with a time that was read from the clock
// again, some microseconds after the stored one.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type Endpoint,
  type EndpointId,
  type OwnEmail,
  type OwnPhone,
  type SignInAnswer,
  type SignUpAnswer,
  endpoints,
} from '@bailiwick/contract'
import { Browser, profileIn } from '../harness/browser/frontend.ts'
import { createUser, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeService, operatorKey } from '../harness/service.ts'
import { endpointIds, requests } from './requests.ts'
import { createWorld } from './world.ts'

const segmentsOf = (id: EndpointId) => endpoints[id].path.split('/')
const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true

/** Returns the operation that reads one record of what an operation changes: the one whose path shares the longest beginning. */
function readerOf(id: EndpointId): EndpointId | undefined {
  const path = segmentsOf(id)
  const readers = endpointIds.filter((each) => {
    const segments = segmentsOf(each)
    const collection = segments.slice(0, -1)
    const isOfOne = isParameter(segments.at(-1)) && !collection.some(isParameter)
    return endpoints[each].method === 'GET' && isOfOne && collection.every((segment, at) => segment === path[at])
  })
  return readers.toSorted((a, b) => segmentsOf(b).length - segmentsOf(a).length)[0]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the record, which some operations wrap. */
function recordIn(body: unknown): Record<string, unknown> | undefined {
  if (!isRecord(body)) return undefined
  const record = isRecord(body['data']) ? body['data'] : body
  return typeof record['id'] === 'string' ? record : undefined
}

const timesOf = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name.endsWith('At')))

const changes = endpointIds.filter((id) => endpoints[id].method !== 'GET' && readerOf(id) !== undefined)

describeService('the answer to a change', (service) => {
  it('has the stored times, whatever is changed', async () => {
    const compared: string[] = []
    const world = await createWorld(service())
    for (const id of changes) {
      const endpoint: Endpoint = endpoints[id]
      if (endpoint.permission === 'console-user' || endpoint.method === 'DELETE') continue
      const reader = readerOf(id) ?? assert.fail()
      const answer = await service().call(id, { ...requests[id].valid(world), token: operatorKey })
      const answered = recordIn(answer.body)
      if (answer.status !== 200 || answered === undefined) continue
      const parameter = segmentsOf(reader).at(-1)?.slice(1, -1) ?? assert.fail()
      const params = { [parameter]: String(answered['id']) }
      const read = await service().call(reader, { params, token: operatorKey })
      const stored = recordIn(read.body)
      if (stored === undefined) continue
      const shared = Object.keys(timesOf(answered)).filter((name) => name in stored)
      const pick = (record: Record<string, unknown>) => Object.fromEntries(shared.map((name) => [name, record[name]]))
      assert.deepEqual(pick(answered), pick(stored), `${id} does not answer with what ${reader} reads`)
      compared.push(id)
    }
    for (const id of ['verifyEmailAddress', 'verifyPhoneNumber', 'createUser', 'updateRole', 'verifyDomain']) {
      assert.ok(compared.includes(id), `${id} was not compared: ${compared.join(' ')}`)
    }
  })

  it('is the address or number as it is listed afterwards, if its owner has verified it', async () => {
    const tenant = await tenantWith(service())
    const phone = () => `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`
    // One that existed unverified, and one that is added.
    const person = await signedInUser(service(), tenant, { phone: phone() })
    const { browser, user } = person
    const added = { email: `${unique()}@example.com`, phone: phone() }
    const { email } = await browser.ok<{ email: OwnEmail }>('createOwnEmail', { body: { email: added.email } })
    const { phone: number } = await browser.ok<{ phone: OwnPhone }>('createOwnPhone', { body: { phone: added.phone } })
    const code = async (to: string) => (await latestMessageTo(service().deps, to)).code
    const emailParams = { id: email.id }
    await browser.ok('prepareOwnEmail', { params: emailParams })
    const verified = await browser.ok<{ email: OwnEmail }>('verifyOwnEmail', {
      params: emailParams,
      body: { code: await code(added.email) },
    })
    const { emails } = await browser.ok<{ emails: OwnEmail[] }>('listOwnEmails')
    assert.deepEqual(
      emails.find(({ id }) => id === verified.email.id),
      verified.email,
    )
    for (const { id, phone: value } of [
      { id: user.primaryPhoneId ?? assert.fail(), phone: user.phoneNumbers[0]?.phone ?? assert.fail() },
      { id: number.id, phone: added.phone },
    ]) {
      await browser.ok('prepareOwnPhone', { params: { id } })
      const body = { code: await code(value) }
      const answer = await browser.ok<{ phone: OwnPhone }>('verifyOwnPhone', { params: { id }, body })
      const { phones } = await browser.ok<{ phones: OwnPhone[] }>('listOwnPhones')
      assert.deepEqual(
        phones.find((each) => each.id === answer.phone.id),
        answer.phone,
      )
    }
  })

  it('is the attempt, the session and the user as they are read afterwards, if a user signs in or up', async () => {
    const tenant = await tenantWith(service())
    const password = 'correct horse battery staple'
    const email = `${unique()}@example.com`
    await createUser(service(), tenant.id, { email, password })
    const browser = new Browser(service(), tenant.publicKey)
    const begun = await browser.ok<SignInAnswer>('createSignIn', {
      body: { identifier: email, strategy: 'email_code' },
    })
    const { code } = await latestMessageTo(service().deps, email)
    const params = { id: begun.signInAttempt.id }
    const body = { strategy: 'email_code', code }
    const signedIn = await browser.ok<SignInAnswer>('attemptFirstFactor', { params, body })
    const shown = async () => (await browser.ok<{ user: unknown }>('getProfile')).user
    assert.deepEqual(await shown(), profileIn(signedIn.sessionUser))
    assert.deepEqual((await browser.ok<SignInAnswer>('getSignIn', { params })).signInAttempt, signedIn.signInAttempt)

    const newcomer = new Browser(service(), tenant.publicKey)
    const given = { email: `${unique()}@example.com`, password, name: 'Ada' }
    const answer = await newcomer.ok<SignUpAnswer>('createSignUp', { body: given })
    const attempt = { id: answer.signUpAttempt.id }
    const strategy = 'email_code'
    await newcomer.ok('prepareVerification', { params: attempt, body: { strategy } })
    const sent = (await latestMessageTo(service().deps, given.email)).code
    const done = await newcomer.ok<SignUpAnswer>('attemptVerification', {
      params: attempt,
      body: { strategy, code: sent },
    })
    assert.deepEqual((await newcomer.ok<{ user: unknown }>('getProfile')).user, profileIn(done.sessionUser))
    const { signUpAttempt } = await newcomer.ok<SignUpAnswer>('getSignUp', { params: attempt })
    assert.deepEqual(signUpAttempt, done.signUpAttempt)
  })
})
