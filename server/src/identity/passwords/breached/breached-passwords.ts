// Passwords that were in a breach, from a file or an endpoint that the operator names. Attackers try them first, and the lists of common
// passwords hold few of them. NIST SP 800-63B, 3.1.1.2.
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../../platform/config.ts'
import type { Meter } from '../../../platform/telemetry/meter.ts'
import { breachedEndpoint } from './breached-endpoint.ts'
import { BreachedFileError, type FindHash, openBreachedFile } from './breached-file.ts'

/** Tells whether a password was in a breach. It never rejects: a password that cannot be looked up is accepted. */
export type IsBreached = (password: string) => Promise<boolean>

async function openSource(source: NonNullable<Config['breachedPasswords']>): Promise<FindHash> {
  if ('address' in source) return breachedEndpoint(source.address)
  try {
    return await openBreachedFile(source.file)
  } catch (error) {
    const reason = error instanceof BreachedFileError ? error.message : 'cannot be read'
    throw new ConfigError([`BAILIWICK_BREACHED_PASSWORDS: the file ${source.file} ${reason}`])
  }
}

/**
 * Opens the source that the configuration names.
 * @returns undefined if it names none
 * @throws ConfigError if the file cannot be used
 */
export async function openBreachedPasswords(
  { breachedPasswords }: Pick<Config, 'breachedPasswords'>,
  log: Logger,
  meter: Meter,
): Promise<IsBreached | undefined> {
  if (breachedPasswords === undefined) return undefined
  const find = await openSource(breachedPasswords)
  return async (password) => {
    try {
      const isBreached = await find(createHash('sha1').update(password).digest())
      meter.count('breached_password_checks', { outcome: isBreached ? 'breached' : 'unknown' })
      return isBreached
    } catch (error) {
      // Nobody should be kept from choosing a password because another service is down.
      meter.count('breached_password_checks', { outcome: 'failed' })
      log.warn({ err: error }, 'a new password could not be compared with the breached ones, and was accepted')
      return false
    }
  }
}
