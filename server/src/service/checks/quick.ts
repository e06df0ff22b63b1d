// The checks that a running service can make of itself at any time: they take milliseconds and change nothing.
import type { Deps } from '../../identity/deps.ts'
import type { Config } from '../../platform/config.ts'
import { type Database, DatabaseUnavailable } from '../../platform/db/database.ts'
import { assertMasterKeyFits, assertMasterKeyIsThere } from '../../tenancy/signing-keys/fitting-master-key.ts'
import { checkBackup } from './backup.ts'
import { type Finding, fail, ok, warn } from './check.ts'
import { checkConsoleSignUp, checkJobs, checkSealing, checkWebhooks } from './contents.ts'
import { checkClock, checkDurability, checkEncoding, checkPooler, checkSchema, checkVersion } from './database.ts'
import { checkDisk, checkNode, checkPermissions, checkRotation } from './machine.ts'
import { checkMessages } from './messages.ts'
import { checkConnections, checkLimits, checkMailChannel, checkMedia } from './operation.ts'
import { checkReplica } from './replica.ts'
import { checkSharding } from './sharding.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * A check that throws counts as failed, and the next one still runs. One that a busy database has not answered in time is a warning: nothing
 * has been found.
 */
export async function made(check: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof DatabaseUnavailable && check !== 'database') {
      // What PostgreSQL says of a server of a cluster that is lost has several lines.
      const reason = error.message.replaceAll(/\s+/g, ' ')
      return warn(check, `not checked: ${reason}`, 'check again when the database answers and is less busy')
    }
    return fail(check, messageOf(error), 'see the earlier results')
  }
}

/** Checks the settings of the node and its machine. */
export const checkMachine = async (config: Config): Promise<Finding[]> => [
  // A configuration with problems would have stopped the process that runs this.
  ok('configuration', config.env),
  await made('node', checkNode),
  await made('data directory', () => checkPermissions(config)),
  await made('disk', () => checkDisk(config)),
  await made('key rotation', () => checkRotation(config)),
  await made('mail', () => checkMailChannel(config)),
  await made('media', () => checkMedia(config)),
  await made('limits', () => checkLimits()),
]

/** Checks the database as an engine. Nothing else can be checked unless `isUsable`. */
export async function checkEngine(db: Database): Promise<{ findings: Finding[]; isUsable: boolean }> {
  const version = await made('database', () => checkVersion(db))
  if (version.status === 'fail') return { findings: [version], isUsable: false }
  const schema = await made('schema', () => checkSchema(db))
  const encoding = await made('encoding', () => checkEncoding(db))
  const findings = [version, encoding, schema, await made('durability', () => checkDurability(db))]
  return { findings, isUsable: schema.status !== 'fail' }
}

/** Checks what the database contains, as far as that is quick. */
export const checkContents = async (deps: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<Finding[]> => [
  await made('clock', () => checkClock(deps)),
  await made('backup', () => checkBackup(deps)),
  await made('connections', () => checkConnections(deps.db, deps.config)),
  await made('pooler', () => checkPooler(deps.db, deps.config)),
  await made('replica', () => checkReplica(deps.db, deps.config)),
  await made('sharding', () => checkSharding(deps.db)),
  await made('console sign-up', () => checkConsoleSignUp(deps)),
  await made('event log', () => checkSealing(deps)),
  await made('jobs', () => checkJobs(deps)),
  await made('messages', () => checkMessages(deps)),
  await made('webhooks', () => checkWebhooks(deps)),
]

/** Checks that the key is there, and opens what was sealed last. */
async function checkKey({ config, db, sealer }: Pick<Deps, 'config' | 'db' | 'sealer'>): Promise<Finding> {
  const check = 'master key'
  try {
    await assertMasterKeyIsThere(config, db)
    await assertMasterKeyFits(db, sealer)
    return ok(check, "opens the console's newest signing key")
  } catch (error) {
    return fail(check, messageOf(error), 'start with the master key that this database was written with')
  }
}

/** Makes every quick check on the node where it runs. */
export async function checkRunning(deps: Deps): Promise<Finding[]> {
  const machine = await checkMachine(deps.config)
  const { findings, isUsable } = await checkEngine(deps.db)
  if (!isUsable) return [...machine, ...findings]
  return [...machine, ...findings, await checkKey(deps), ...(await checkContents(deps))]
}
