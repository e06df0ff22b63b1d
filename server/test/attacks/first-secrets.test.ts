// What proves who somebody is: nothing that is there by default or that others can look up, and nothing short enough to be guessed.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endpoints, frontendEndpoints } from '@bailiwick/contract'
import { isRecoveryShaped, newRecoveryCodes } from '../../src/identity/authenticators/recovery-codes.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { Browser } from '../harness/browser/frontend.ts'
import { createTenant, unique } from '../harness/factories.ts'
import { latestMessageTo } from '../harness/messages.ts'
import { describeService } from '../harness/service.ts'

/** Returns the names of all properties within a schema. */
function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { readonly properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(propertyNames)]
}

describeService('what proves who somebody is', (service) => {
  // Guards: asvs-default-accounts
  it('is in no account before somebody has made one', async () => {
    const { count } = (await service().deps.db.first<{ count: number }>(
      sql`SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM passwords) + (SELECT COUNT(*) FROM api_keys) AS count`,
    )) ?? { count: -1 }
    assert.equal(count, 0)
  })

  // Guards: asvs-no-questions
  it('is never a hint or the answer to a question', () => {
    const bodies = [...Object.values(endpoints), ...Object.values(frontendEndpoints)].map((each) =>
      'body' in each ? each.body : undefined,
    )
    const names = bodies.flatMap(propertyNames)
    assert.ok(names.includes('password'))
    assert.deepEqual(
      names.filter((name) => /hint|question|answer/i.test(name)),
      [],
    )
  })

  // Guards: asvs-entropy, asvs-random
  it('has six digits in a message, and 24 of 31 characters on paper, different each time', async () => {
    const { tenant } = await createTenant(service())
    const codes = new Set<string>()
    for (let n = 0; n < 8; n++) {
      const email = `${unique()}@example.com`
      const browser = new Browser(service(), tenant.publicKey)
      const body = { email, password: 'correct horse battery staple' }
      const { signUpAttempt } = await browser.ok<{ signUpAttempt: { id: string } }>('createSignUp', { body })
      const params = { id: signUpAttempt.id }
      await browser.ok('prepareVerification', { params, body: { strategy: 'email_code' } })
      const { code } = await latestMessageTo(service().deps, email)
      assert.match(code ?? '', /^\d{6}$/)
      codes.add(code ?? '')
    }
    assert.ok(codes.size > 4)
    const onPaper = Array.from({ length: 20 }, newRecoveryCodes).flat()
    assert.equal(new Set(onPaper).size, 200)
    assert.ok(onPaper.every((code) => isRecoveryShaped(code) && code.replaceAll('-', '').length === 24))
  })
})
