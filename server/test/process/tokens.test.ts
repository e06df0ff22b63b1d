// The service is killed while applications redeem codes and rotate refresh tokens.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../harness/databases/databases.ts'
import { rawSql } from './raw-sql.ts'
import { type Deployment, newDeployment, startService, until } from './service-process.ts'
import { type Acknowledged, type Chain, TokenLoad } from './token-load.ts'

const chainsAtOnce = 12
/** How long the answer of a rotation is given again. */
const againMs = 10_000

/** Every answer is stored whole: its tokens, its event and what it used up, or nothing of it. */
async function assertWhole(deployment: Deployment) {
  const rows = await rawSql(
    deployment,
    'SELECT kind, family_id, grant_id, consumed_at, sealed_answer FROM oauth_tokens',
  )
  const of = (kind: string) => rows.filter((row) => row['kind'] === kind)
  const refreshTokens = of('RefreshToken')
  const events = await rawSql(deployment, "SELECT type FROM events WHERE type = 'application.token_issued'")
  assert.deepEqual([of('AccessToken').length, refreshTokens.length], [events.length, events.length])
  const usedCodes = of('AuthorizationCode').filter((row) => row['consumed_at'] !== null)
  const families = new Set(refreshTokens.map((row) => row['family_id']))
  assert.deepEqual(new Set(usedCodes.map((row) => row['family_id'])), families)
  assert.equal(of('Grant').length, of('AuthorizationCode').length)
  for (const family of families) {
    const chain = refreshTokens.filter((row) => row['family_id'] === family)
    assert.equal(chain.filter((row) => row['consumed_at'] === null).length, 1, 'one token of a chain can be used')
    assert.ok(chain.every((row) => row['grant_id'] !== null))
    assert.ok(chain.every((row) => (row['consumed_at'] === null) === (row['sealed_answer'] === null)))
  }
}

for (const engine of engines) {
  describe(`kill -9 of the service between tokens on ${engine}`, () => {
    // Guards: whole-exchanges
    it('redeems no code twice, keeps what was acknowledged, and lets the applications go on', async () => {
      const deployment = await newDeployment(engine)
      const first = await startService(deployment.env)
      const load = await TokenLoad.at(first)
      const chains: Chain[] = []
      for (let n = 0; n < chainsAtOnce; n++) chains.push(await load.authorize(first))
      // One after the other, so that at the kill some redeem their codes, some rotate, and some have not begun.
      const running: Promise<void>[] = []
      const redeemed = () => chains.filter(({ tokens }) => tokens !== undefined).length
      for (const chain of chains.slice(0, -2)) {
        running.push(load.run(first, chain))
        await until('another code is under way', 60_000, () => (redeemed() >= running.length - 3 ? true : undefined))
      }
      await sleep(Math.random() * 50)
      first.kill('SIGKILL')
      assert.equal((await first.exit()).signal, 'SIGKILL')
      await Promise.all(running)
      const service = await startService(deployment.env)
      await assertWhole(deployment)

      for (const chain of chains) {
        const { tokens, sentAt = Infinity, expiresAt } = chain
        if (tokens === undefined) {
          // Whether it was redeemed is unknown, unless it was never sent; on a slow machine, it may have expired.
          const status = (await load.redeem(service, chain)).status
          const mayBeRefused = sentAt !== Infinity || Date.now() >= expiresAt
          assert.ok(status === 200 || (status === 400 && mayBeRefused), String(status))
        } else {
          assert.equal(await load.userInfoStatus(service, tokens), 200)
          const answer = await load.refresh(service, tokens)
          const isInTime = Date.now() < sentAt + againMs
          assert.ok(answer.status === 200 || !isInTime, JSON.stringify(answer.body))
          if (answer.status !== 200) continue
          assert.equal((await load.refresh(service, answer.body as unknown as Acknowledged)).status, 200)
        }
        assert.equal((await load.redeem(service, chain)).status, 400, 'a code is redeemed once')
      }
    })
  })
}
