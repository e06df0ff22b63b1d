// Checks everything that a deployment needs, and says what to do about each problem. Changes nothing.
import type { Config } from '../../platform/config.ts'
import { buildDeps } from '../main.ts'
import type { Finding } from './checks/check.ts'
import { fail, ok } from './checks/check.ts'
import {
  checkConsoleSignUp,
  checkCounters,
  checkJobs,
  checkMasterKey,
  checkSealing,
  checkSubscriptions,
  checkWebhooks,
} from './checks/contents.ts'
import { checkClock, checkDurability, checkIntegrity, checkSchema, checkVersion } from './checks/database.ts'
import { checkBackup, checkDisk, checkNode, checkPermissions, checkRotation } from './checks/machine.ts'
import { checkConnections, checkLimits, checkMailChannel, checkMedia } from './checks/operation.ts'
import { checkReplica } from './checks/replica.ts'
import { checkRedirects } from './checks/redirects.ts'
import { assertMasterKeyIsThere } from '../../tenancy/signing-keys/fitting-master-key.ts'
import { commandLog, openForReading } from './deployment.ts'
import { type Outcome, exitStatus } from './outcome.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** A check that throws counts as failed, and the next one still runs. */
async function made(check: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return fail(check, messageOf(error), 'see what was found before')
  }
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { db, release } = await openForReading(config)
  try {
    const version = await made('database', () => checkVersion(db))
    if (version.status === 'fail') return [version]
    const schema = await made('schema', () => checkSchema(db))
    const engine = [version, schema, await made('durability', () => checkDurability(db))]
    if (schema.status === 'fail') return engine
    const key = await made('master key', async () => {
      await assertMasterKeyIsThere(config, db)
      return ok('master key', 'there is one')
    })
    if (key.status === 'fail') return [...engine, key]
    const deps = { ...(await buildDeps(config, db, commandLog(config))), db }
    return [
      ...engine,
      await made('clock', () => checkClock(deps)),
      await made('connections', () => checkConnections(db, config)),
      await made('replica', () => checkReplica(db, config)),
      await made('integrity', () => checkIntegrity(db)),
      await made('master key', () => checkMasterKey(deps)),
      await made('console sign-up', () => checkConsoleSignUp(deps)),
      await made('counters', () => checkCounters(deps)),
      await made('event log', () => checkSealing(deps)),
      await made('jobs', () => checkJobs(deps)),
      await made('webhooks', () => checkWebhooks(deps)),
      await made('webhook subscriptions', () => checkSubscriptions(deps)),
      await made('redirect addresses', () => checkRedirects(deps)),
    ]
  } finally {
    await release()
  }
}

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const

const lineOf = ({ check, status, detail, hint }: Finding) =>
  `${marks[status]}  ${check}: ${detail}${hint === undefined ? '' : `\n      ${hint}`}`

/** Warnings do not change the exit status; failures do. */
export async function doctor(config: Config): Promise<Outcome> {
  const findings = [
    // Every other command stops at a configuration that has problems.
    ok('configuration', config.env),
    await made('node', checkNode),
    await made('data directory', () => checkPermissions(config)),
    await made('disk', () => checkDisk(config)),
    await made('key rotation', () => checkRotation(config)),
    await made('backup', () => checkBackup(config)),
    await made('mail', () => checkMailChannel(config)),
    await made('media', () => checkMedia(config)),
    await made('limits', () => checkLimits()),
  ]
  try {
    findings.push(...(await checkDatabase(config)))
  } catch (error) {
    findings.push(fail('database', messageOf(error), 'see DATABASE_URL, or BAILIWICK_DATA_DIR'))
  }
  const failed = findings.filter(({ status }) => status === 'fail').length
  return {
    text: findings.map(lineOf).join('\n'),
    json: { findings },
    status: failed === 0 ? exitStatus.ok : exitStatus.problems,
  }
}
