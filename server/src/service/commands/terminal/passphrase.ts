// The passphrase of an export: from a file, the environment, or the person at the terminal; never from the command line, which others on
// the machine can see.
import { readFile } from 'node:fs/promises'
import type { Config } from '../../../platform/config.ts'
import { CommandRefused, exitStatus } from '../../outcome.ts'
import { ask, askTwice } from './ask.ts'

const lengthMin = 12

/**
 * @param isNew whether it is asked for twice at a terminal.
 * @throws CommandRefused if there is none, or it is too short.
 */
export async function readPassphrase(config: Config, file: string | undefined, isNew: boolean): Promise<string> {
  if (file === undefined && config.exportPassphrase !== undefined) return config.exportPassphrase.reveal()
  if (file === undefined && !process.stdin.isTTY) {
    const sources = '--passphrase-file or BAILIWICK_EXPORT_PASSPHRASE'
    throw new CommandRefused(`a passphrase is required: ${sources}`, exitStatus.usage)
  }
  const given =
    file === undefined ? await (isNew ? askTwice('Passphrase: ') : ask('Passphrase: ')) : await readFile(file, 'utf8')
  const passphrase = given.replace(/\r?\n$/, '')
  if (passphrase.length < lengthMin)
    throw new CommandRefused(`the passphrase must have at least ${lengthMin} characters`)
  return passphrase
}
