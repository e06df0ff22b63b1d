// The steps of Okta's own tests of SCIM interfaces (its specification test and what its CRUD test makes Okta send), in their order.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { unique } from '../../../test/harness/factories.ts'
import { type ScimAnswer, patchUrn, person, scimWorld, userUrn } from '../../../test/harness/people/scim.ts'
import { describeService } from '../../../test/harness/service.ts'

const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
/** A step: its request, the status that Okta requires, and what it requires of the answer. */
type Step = readonly [Method, string, unknown, number, (body: ScimAnswer['body']) => unknown, unknown]

const filterBy = (name: string) => `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`
const total = ({ schemas, totalResults }: ScimAnswer['body']) => [schemas, totalResults]
const nothing = () => null

describeService("Okta's tests", (service) => {
  it('pass, step by step', async () => {
    const { directory, domain } = await scimWorld(service())
    const { id, ...known } = await directory.createUser(person(domain))
    const name = unique()
    const email = `${name}@${domain}`
    const { displayName, ...sent } = { schemas: [userUrn], ...person(domain, name) }
    const created = await directory.call('POST', '/Users', { ...sent, displayName })
    assert.equal(created.status, 201)
    const own = `/Users/${created.body.id}`
    const names = (body: ScimAnswer['body']) => [body['userName'], body['name'], body['active']]
    const activity = (isActive: boolean) => ({
      schemas: [patchUrn],
      Operations: [{ op: 'replace', value: { active: isActive } }],
    })
    const isActive = (body: ScimAnswer['body']) => body['active']
    const failure = ({ schemas, status, detail }: ScimAnswer['body']) => [schemas, status, detail !== '']
    const steps: readonly Step[] = [
      [
        'GET',
        '/Users?count=1&startIndex=1',
        undefined,
        200,
        (body) => [body['schemas'], body.itemsPerPage, body['startIndex']],
        [[listUrn], 1, 1],
      ],
      ['GET', `/Users/${id}`, undefined, 200, names, [known['userName'], known['name'], true]],
      ['GET', filterBy(`nobody-${unique()}@${domain}`), undefined, 200, total, [[listUrn], 0]],
      ['GET', '/Users/00919288221112222', undefined, 404, failure, [[errorUrn], '404', true]],
      ['GET', own, undefined, 200, names, [email, sent.name, true]],
      ['POST', '/Users', { ...sent, displayName }, 409, nothing, null],
      ['GET', filterBy(email.toUpperCase()), undefined, 200, total, [[listUrn], 1]],
      ['GET', '/Groups', undefined, 200, total, [[listUrn], 0]],
      ['GET', filterBy(email), undefined, 200, (body) => body.Resources.map(({ emails }) => emails), [sent.emails]],
      [
        'PUT',
        own,
        { ...sent, name: { ...sent.name, givenName: 'Grace' } },
        200,
        (body) => (body['name'] as { givenName: string }).givenName,
        'Grace',
      ],
      ['GET', own, undefined, 200, (body) => (body['name'] as { givenName: string }).givenName, 'Grace'],
      ['PATCH', own, activity(false), 200, isActive, false],
      ['GET', own, undefined, 200, isActive, false],
      ['PATCH', own, activity(true), 200, isActive, true],
      ['PUT', own, { ...sent, active: false }, 200, isActive, false],
      ['GET', own, undefined, 200, isActive, false],
    ]
    for (const [method, path, body, status, read, expected] of steps) {
      const answer = await directory.call(method, path, body)
      assert.deepEqual([answer.status, read(answer.body)], [status, expected], `${method} ${path}`)
    }
    const stranger = directory.at(service(), 'scim_nonsense')
    const refused = await stranger.call('GET', filterBy(email))
    assert.deepEqual([refused.status, failure(refused.body)], [401, [[errorUrn], '401', true]])
  })
})
