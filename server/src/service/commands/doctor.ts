// Checks everything that a deployment needs, and says what to do about each problem. Changes nothing.
import type { Config } from '../../platform/config.ts'
import { assertMasterKeyIsThere } from '../../tenancy/signing-keys/fitting-master-key.ts'
import { type Finding, fail, ok } from '../checks/check.ts'
import { checkCounters, checkMasterKey, checkSubscriptions } from '../checks/contents.ts'
import { checkIntegrity } from '../checks/database.ts'
import { checkContents, checkEngine, checkMachine, made } from '../checks/quick.ts'
import { checkRedirects } from '../checks/redirects.ts'
import { buildDeps } from '../main.ts'
import { commandLog, openForReading } from '../open-deployment.ts'
import { type Outcome, exitStatus } from '../outcome.ts'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { db, release } = await openForReading(config)
  try {
    const { findings, isUsable } = await checkEngine(db)
    if (!isUsable) return findings
    const key = await made('master key', async () => {
      await assertMasterKeyIsThere(config, db)
      return ok('master key', 'there is one')
    })
    if (key.status === 'fail') return [...findings, key]
    const deps = { ...(await buildDeps(config, db, commandLog(config))), db }
    return [
      ...findings,
      ...(await checkContents(deps)),
      await made('integrity', () => checkIntegrity(db)),
      await made('master key', () => checkMasterKey(deps)),
      await made('counters', () => checkCounters(deps)),
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
  const findings = await checkMachine(config)
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
