// A master key that does not belong to the database is found at the start, and not when somebody signs in.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { engines } from '../harness/databases/databases.ts'
import { type Environment, newDeployment, runCommand, startService } from './service-process.ts'

const newKey = () => randomBytes(32).toString('base64')

async function startAndStop(env: Environment) {
  const service = await startService(env)
  service.kill('SIGTERM')
  assert.equal((await service.exit()).code, 0)
}

async function assertRefused(args: readonly string[], env: Environment, message: RegExp) {
  const { code, stderr } = await runCommand(args, env)
  assert.equal(code, 1, stderr)
  assert.match(stderr, message)
  assert.doesNotMatch(stderr, /is ready|[A-Za-z0-9+/]{43}=/)
}

for (const engine of engines) {
  describe(`a database on ${engine} that was written under another master key`, () => {
    it('is not served, nor written to by commands, until the key is restored', async () => {
      const { env } = await newDeployment(engine)
      const [old, other] = [newKey(), newKey()]
      await startAndStop({ ...env, BAILIWICK_MASTER_KEY: old })
      const wrong = { ...env, PORT: '0', BAILIWICK_MASTER_KEY: other }
      for (const args of [['start'], ['seed', '--users', '1']]) {
        await assertRefused(args, wrong, /sealed with another master key/)
      }
      await startAndStop({ ...wrong, BAILIWICK_PREVIOUS_MASTER_KEYS: old })
      await startAndStop({ ...env, BAILIWICK_MASTER_KEY: old })
    })

    it('gets no new key if the one in the data directory is lost', async () => {
      const { env, dataDir } = await newDeployment(engine)
      await startAndStop(env)
      const file = join(dataDir, 'master.key')
      renameSync(file, `${file}.away`)
      await assertRefused(['start'], { ...env, PORT: '0' }, /there is no master key in .*restore master\.key/)
      assert.ok(!existsSync(file))
      renameSync(`${file}.away`, file)
      await startAndStop(env)
    })
  })
}
