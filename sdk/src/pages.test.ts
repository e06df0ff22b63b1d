import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Bailiwick } from '@bailiwick/sdk'
import { type Answer, baseUrl, errorAnswer, describeFailure, json, scripted } from '../test/answers.ts'

const params = { tenantId: 'ctenant0001' }
const page = (ids: readonly string[], next: string | null) =>
  json({ status: 'success', data: ids.map((id) => ({ id })), meta: { next } })

async function walk(answers: readonly Answer[], query: { cursor?: string; perPage?: string } = {}) {
  const { fetch, sent } = scripted(...answers)
  const client = new Bailiwick({ baseUrl, secretKey: 'sk_dev_1', fetch, retries: 0 })
  const ids: string[] = []
  const done = (async () => {
    for await (const role of client.pages.listRoles({ params, query })) ids.push(role.id)
  })()
  const error = await done.then(
    () => undefined,
    (reason: unknown) => describeFailure(Promise.reject(reason)),
  )
  return { ids, error, searches: sent.map(({ url }) => new URL(url).search) }
}

describe('pages', () => {
  it('yields every row of every page, in order', async () => {
    const { ids, error, searches } = await walk([page(['a', 'b'], '2'), page(['c'], '3'), page(['d'], null)])
    assert.equal(error, undefined)
    assert.deepEqual(ids, ['a', 'b', 'c', 'd'])
    assert.deepEqual(searches, ['', '?cursor=2', '?cursor=3'])
  })

  it('keeps the rest of the query, and starts at its cursor', async () => {
    const { searches } = await walk([page(['a'], '2'), page([], null)], { perPage: '1', cursor: '9' })
    assert.deepEqual(searches, ['?perPage=1&cursor=9', '?perPage=1&cursor=2'])
  })

  it('skips an empty page that has a successor', async () => {
    const { ids } = await walk([page([], '2'), page(['a'], null)])
    assert.deepEqual(ids, ['a'])
  })

  it('ends with an error if the next page is the same page', async () => {
    const { ids, error, searches } = await walk([page(['a'], '2'), page(['b'], '2')])
    assert.equal(error?.code, 'invalid_response')
    assert.deepEqual([ids, searches.length], [['a'], 2])
  })

  it('ends with an error if the pages go round in a circle', async () => {
    const { error, searches } = await walk([page(['a'], '2'), page(['b'], '3'), page(['c'], '4'), page(['d'], '2')])
    assert.equal(error?.code, 'invalid_response')
    assert.equal(searches.length, 4)
  })

  it('ends with an error if the first page leads back to the start that was given', async () => {
    const { error, searches } = await walk([page(['a'], '9')], { cursor: '9' })
    assert.deepEqual([error?.code, searches.length], ['invalid_response', 1])
  })

  for (const [what, answer] of Object.entries({
    null: null,
    'an array': [],
    'a page without rows': { meta: { next: null } },
    'a page without its end': { data: [] },
    'a cursor that is a number': { data: [], meta: { next: 2 } },
  })) {
    it(`ends with an error for ${what}`, async () => {
      assert.equal((await walk([json(answer)])).error?.code, 'invalid_response')
    })
  }

  it('throws the error of a page that fails, after the rows before it', async () => {
    const { ids, error } = await walk([page(['a'], '2'), errorAnswer(404, 'not_found')])
    assert.deepEqual([ids, error?.code], [['a'], 'not_found'])
  })

  it('reads no page that is not requested', async () => {
    const { fetch, sent } = scripted(page(['a', 'b'], '2'), page(['c'], null))
    const client = new Bailiwick({ baseUrl, secretKey: 'sk_dev_1', fetch })
    const rows = client.pages.listRoles({ params })
    assert.equal(sent.length, 0)
    for await (const role of rows) {
      assert.equal(role.id, 'a')
      break
    }
    assert.equal(sent.length, 1)
  })
})
