import type { Static } from 'typebox'
import { array, id, integer, object, oneOf, optional, text } from '../../schema.ts'

/** Shorter ones can be guessed by whoever has the file. */
export const archivePassphraseLengthMin = 12
export const archivePassphraseLengthMax = 1000
/** Far more than any tenant has. The disk of the node that receives the archive has to have room for it, too. */
export const archiveBytesMax = 64 * 1024 * 1024 * 1024

const passphrase = (description: string) =>
  text({ minLength: archivePassphraseLengthMin, maxLength: archivePassphraseLengthMax, description })

/** The passphrase that seals the archive of a tenant. */
export const ExportTenant = object({
  passphrase: passphrase('Encrypts the archive. The file cannot be opened without it'),
})

/** The parts of the form. */
export const ImportTenant = object({
  passphrase: passphrase('The passphrase with which the archive was encrypted. It must come before the file'),
  trustDomains: optional(
    oneOf(['true', 'false'], {
      description:
        'Before the file. true: domains arrive verified where the archive says so, which is right for an archive that you have made yourself. Otherwise each has to be verified again, with a new record',
    }),
  ),
  file: text({ description: 'The bytes of the archive' }),
})

/** One line about an import. The last one says that the tenant was imported or why not; without it, the import was interrupted. */
export const ImportProgress = object({
  step: oneOf(['checking', 'writing', 'imported', 'failed'], {
    description:
      'The step of the import. The whole archive is checked first; then it is written, still invisible. `imported` or `failed` comes last',
  }),
  rows: integer({ description: 'How many rows this step has processed' }),
  rowsTotal: optional(integer({ description: 'How many rows there are in total, once the archive has been checked' })),
  tenant: optional(object({ id: id(), slug: text(), name: text() })),
  domainsToVerify: optional(
    integer({ description: 'For `imported`: how many domains were verified elsewhere and are not here' }),
  ),
  code: optional(text({ description: 'For `failed`: the code of the error' })),
  message: optional(text({ description: 'For `failed`: the message of the error' })),
  conflicts: optional(
    array(text(), { description: 'For `archive_conflict`: the data of this server that conflict with the archive' }),
  ),
})
export type ImportProgress = Static<typeof ImportProgress>
