// Replaces the master key: everything that is sealed is sealed again under the new one. See docs/command-line.md for the order in which
// nodes learn about it.
import { randomBytes } from 'node:crypto'
import { link, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import { type MasterKey, loadMasterKey, loadOrCreateMasterKey } from '../../platform/crypto/master-key.ts'
import { keyFiles } from '../../platform/crypto/master-keys.ts'
import { createPersonalSealer } from '../../platform/crypto/personal.ts'
import { createSealer } from '../../platform/crypto/sealed.ts'
import { eventStatement } from '../../platform/events/append.ts'
import { findConsoleTenantId } from '../../tenancy/tenants/console-tenant.ts'
import { assertNobodyElse } from '../deployment/nobody-else.ts'
import { openConfiguredDatabase } from '../main.ts'
import { assertCurrent } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { resealEverything } from '../tenant-tables/reseal.ts'
import type { Tell } from './terminal/progress.ts'

const actor = { type: 'operator', id: null, ip: null, ua: null } as const

interface Keys {
  /** The keys, the new one first. */
  readonly all: readonly MasterKey[]
  /** Whether all nodes that may be running know the new key. */
  readonly isKnownToNodes: boolean
  /** Makes the new key the one that the next start uses. */
  readonly adopt: () => Promise<void>
}

async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** At every moment `master.key` contains exactly one of the two keys, completely. */
async function swapKeyFiles(dataDir: string): Promise<void> {
  const path = (name: string) => join(dataDir, name)
  const draft = path(`${keyFiles.previous}.${randomBytes(4).toString('hex')}`)
  await link(path(keyFiles.current), draft)
  await rename(draft, path(keyFiles.previous))
  await rename(path(keyFiles.next), path(keyFiles.current))
  await syncFolder(dataDir)
}

async function keysOf({ masterKey, newMasterKey, previousMasterKeys, dataDir }: Config): Promise<Keys> {
  const previous = previousMasterKeys?.reveal() ?? []
  const nothing = async () => undefined
  if (masterKey === undefined) {
    const current = await loadMasterKey(join(dataDir, keyFiles.current))
    const next = await loadOrCreateMasterKey(dataDir, keyFiles.next)
    return { all: [next, current], isKnownToNodes: false, adopt: () => swapKeyFiles(dataDir) }
  }
  if (newMasterKey !== undefined) {
    return { all: [newMasterKey.reveal(), masterKey.reveal(), ...previous], isKnownToNodes: false, adopt: nothing }
  }
  if (previous.length > 0) return { all: [masterKey.reveal(), ...previous], isKnownToNodes: true, adopt: nothing }
  const message = 'BAILIWICK_NEW_MASTER_KEY (openssl rand -base64 32) or BAILIWICK_PREVIOUS_MASTER_KEYS is required'
  throw new CommandRefused(message, exitStatus.usage)
}

/** On PostgreSQL, nodes would continue with a key that opens less and less. */
const runningNodes =
  'nodes are running that do not know the new master key: stop them, or give them both keys first (docs/command-line.md)'

/** Reports the result, and records in the console's log that the key was replaced. */
export async function rotateMasterKey(config: Config, tell: Tell): Promise<Outcome> {
  const { db, release } = await openConfiguredDatabase(config)
  try {
    await assertCurrent(db)
    const keys = await keysOf(config)
    const [current] = keys.all
    if (current === undefined) throw new Error('there is no master key')
    if (!keys.isKnownToNodes) await assertNobodyElse(db, runningNodes)
    const sealer = createSealer(keys.all)
    const personal = createPersonalSealer(keys.all)
    const { resealed, unopened } = await resealEverything({
      db,
      sealer,
      personal,
      keyId: current.id,
      onRows: (pass, done) => tell(pass === 1 ? 'Texts looked at' : `Texts looked at, pass ${pass}`, done),
    })
    if (unopened.length > 0) {
      const text = `${resealed} secrets were encrypted again. Some of ${unopened.join(', ')} cannot be decrypted with any of the keys: keep the old key.`
      return { text, json: { keyId: current.id, resealed, unopened }, status: exitStatus.problems }
    }
    const consoleTenantId = await findConsoleTenantId(db)
    if (consoleTenantId !== undefined) {
      const event = {
        tenantId: consoleTenantId,
        type: 'deployment.master_key_rotated',
        actor,
        subjectId: consoleTenantId,
        data: { keyId: current.id, resealed },
      } as const
      await db.write(() => [eventStatement(createClock(), personal, event)])
    }
    await keys.adopt()
    const text = `${resealed} secrets were encrypted again with the key ${current.id}. Only backups still need the old key.`
    return { text, json: { keyId: current.id, resealed, unopened } }
  } finally {
    await release()
  }
}
