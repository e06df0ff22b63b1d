// The master keys of a process: the first seals, all of them open.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type MasterKey, loadMasterKey, loadOrCreateMasterKey } from './master-key.ts'

export const keyFiles = {
  current: 'master.key',
  /** Present while a rotation is under way. */
  next: 'master.key.next',
  previous: 'master.key.previous',
} as const

/**
 * Returns the configured keys, or those of the data directory, where the first is created if it is missing.
 * @throws MasterKeyError
 */
export async function masterKeysOf(
  config: Pick<Config, 'masterKey' | 'previousMasterKeys' | 'dataDir'>,
): Promise<MasterKey[]> {
  const { masterKey, previousMasterKeys, dataDir } = config
  if (masterKey !== undefined) return [masterKey.reveal(), ...(previousMasterKeys?.reveal() ?? [])]
  const current = await loadOrCreateMasterKey(dataDir)
  const next = join(dataDir, keyFiles.next)
  // A rotation was interrupted; both keys are needed until the next rotation completes it.
  return existsSync(next) ? [await loadMasterKey(next), current] : [current]
}
