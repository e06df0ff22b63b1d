// A step that is still under way when the attempt completes overwrites nothing: otherwise what was used up would be open again.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SignInAnswer } from '@bailiwick/contract'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import { describeInterrupted } from '../../../test/harness/databases/interrupted-database.ts'
import { latestMessageTo } from '../../../test/harness/messages.ts'
import { password, signedInPerson } from '../../../test/harness/people/people.ts'

describeInterrupted('an attempt to sign in that completes while a code is being sent', (service, beforeNextWrite) => {
  // Guards: orders-of-steps
  it('stays complete, and the code is invalid', async () => {
    const owner = await signedInPerson(service())
    const browser = new Browser(service(), owner.publicKey)
    const begun = await browser.ok<SignInAnswer>('createSignIn', { body: { identifier: owner.email } })
    const params = { id: begun.signInAttempt.id }
    const byPassword = { params, body: { strategy: 'email_password', password } }
    beforeNextWrite(() => browser.ok('attemptFirstFactor', byPassword))
    await browser.refused('prepareFirstFactor', 'attempt_not_open', { params, body: { strategy: 'email_code' } })
    const { code } = await latestMessageTo(service().deps, owner.email)
    await browser.refused('attemptFirstFactor', 'attempt_not_open', { params, body: { strategy: 'email_code', code } })
    const { signInAttempt } = await browser.ok<SignInAnswer>('getSignIn', { params })
    assert.equal(signInAttempt.status, 'complete')
  })
})
