import type { Static } from 'typebox'
import { array, id, integer, object, oneOf, optional, text } from '../schema.ts'

/** Shorter ones can be guessed by whoever has the file. */
export const archivePassphraseLengthMin = 12
export const archivePassphraseLengthMax = 1000
/** Far more than any tenant has. The disk of the node that receives the archive has to have room for it, too. */
export const archiveBytesMax = 64 * 1024 * 1024 * 1024

const passphrase = (description: string) =>
  text({ minLength: archivePassphraseLengthMin, maxLength: archivePassphraseLengthMax, description })

export const ExportTenant = object({
  passphrase: passphrase('Seals the archive. Without it nobody opens the file'),
})

/** The parts of the form. */
export const ImportTenant = object({
  passphrase: passphrase('The passphrase under which the archive was sealed; it has to come before the file'),
  file: text({ description: 'The bytes of the archive' }),
})

/** One line about an import. The last one says that the tenant was imported or why not; without it, the import was interrupted. */
export const ImportProgress = object({
  step: oneOf(['checking', 'writing', 'imported', 'failed'], {
    description:
      'The whole archive is checked first, then it is written where nobody sees it yet. `imported` and `failed` are last',
  }),
  rows: integer({ description: 'How many rows this step has done' }),
  rowsTotal: optional(integer({ description: 'How many rows there are, once the archive has been checked' })),
  tenant: optional(object({ id: id(), slug: text(), name: text() })),
  code: optional(text({ description: 'For `failed`: the code of the error' })),
  message: optional(text({ description: 'For `failed`: the sentence for people' })),
  conflicts: optional(array(text(), { description: 'For `archive_conflict`: what is in the way here' })),
})
export type ImportProgress = Static<typeof ImportProgress>
