// What can be used once can be used once across all nodes, however many requests redeem it at the same moment. See docs/security-tests.md
// 2.3.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { useAuthenticatorCode } from '../../src/identity/authenticators/authenticator-codes.ts'
import { loadTotp } from '../../src/identity/authenticators/totp.ts'
import type { Deps } from '../../src/identity/deps.ts'
import { issueCode, redeemCode } from '../../src/identity/one-time-codes/one-time-codes.ts'
import type { Transaction } from '../../src/platform/db/database.ts'
import { type TenantId, type UserId, newId } from '../../src/platform/ids.ts'
import { atOnce, workAtOnce } from '../harness/at-once.ts'
import { statusCounts } from '../harness/databases/stored.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import { type Redeemable, redeemables } from './redeemables.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

const times = 40
const rounds = 5
const system = { type: 'system', id: null, ip: null, ua: null } as const

describeOnTwoNodes('redeemed at two nodes at once', (nodes) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  /** That many succeed, and the others get only refusals. */
  async function assertRedeemedOnce(make: Redeemable) {
    const redeem = await make(nodes(), idp)
    const answers = await atOnce(times, (n) => redeem(nodes().inTurn(n), n))
    const isGood = (status: number) => status === 200 || status === 303
    const counts = JSON.stringify(statusCounts(answers))
    assert.equal(answers.filter(({ status }) => isGood(status)).length, 1, counts)
    assert.ok(
      answers.every(({ status }) => isGood(status) || (status >= 400 && status < 500)),
      counts,
    )
  }

  // Guards: used-once
  describe('only one is accepted:', () => {
    for (const [name, make] of Object.entries(redeemables)) {
      it(name, async () => {
        for (let round = 0; round < rounds; round++) {
          // More than one address may send in a minute.
          nodes().advance(60_000)
          await assertRedeemedOnce(make)
        }
      })
    }
  })

  // Of what can be guessed, five are judged at once and the rest refused; the requests after those are sent later.
  describe('of a hundred that are judged at once one is accepted:', () => {
    async function assertUsedOnce(use: (deps: Deps, tx: Transaction) => Promise<boolean>) {
      const uses = await workAtOnce(100, (n) => {
        const { deps } = nodes().inTurn(n)
        return deps.db.transaction((tx) => use(deps, tx))
      })
      assert.equal(uses.filter(Boolean).length, 1)
    }
    const findOwner = ({ tenantId, user }: Person) => ({
      tenantId: tenantId as TenantId,
      userId: user.id as UserId,
      actor: system,
    })

    // Guards: used-once, asvs-used-once
    it('a code or link for an address, in each of fifty rounds', async () => {
      const { id } = await tenantWith(nodes().one)
      const { deps } = nodes().other
      for (let round = 0; round < 50; round++) {
        const place = { tenantId: id as TenantId, purpose: 'sign_in', flowId: newId(), addressKey: newId() } as const
        const kind = round % 2 === 0 ? 'code' : 'link'
        const secret = await deps.db.transaction((tx) => issueCode(deps, tx, { ...place, userId: null, kind }))
        await assertUsedOnce((node, tx) => redeemCode(node, tx, place, secret))
      }
    })

    // Guards: asvs-used-once
    it('a code of an authenticator app, and a recovery code', async () => {
      const owner = await signedInPerson(nodes().one)
      const { secret, recoveryCodes } = await owner.addApp()
      const totp = await loadTotp()
      for (let round = 0; round < 10; round++) {
        nodes().advance(30_000)
        for (const code of [owner.codeOf(secret), recoveryCodes[round] ?? '']) {
          await assertUsedOnce((node, tx) => useAuthenticatorCode(node, tx, totp, findOwner(owner), code))
        }
      }
    })
  })
})
