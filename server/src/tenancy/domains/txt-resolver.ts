// Looks up the TXT records that prove a domain, and says why there are none.
import type { Names } from '../../platform/net/names.ts'
import { TooManyWaiting } from '../../platform/turns/turns.ts'

/** The TXT records of a name, each joined to one text; if there are none, a reason for people to read. */
export type TxtResolver = (
  name: string,
  tenantId: string,
) => Promise<{ readonly records: readonly string[]; readonly reason?: string }>

const reasons: Readonly<Record<string, string>> = {
  ENODATA: 'the name has no TXT record',
  ENOTFOUND: 'the name does not exist',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused',
  ETIMEOUT: 'the name server did not answer in time',
  ECANCELLED: 'the name server did not answer in time',
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof TooManyWaiting) return 'too many names are being resolved at the moment'
  return error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
}

export function createTxtResolver(names: Names): TxtResolver {
  return async (name, tenantId) => {
    try {
      const records = await names.texts(name, { owner: tenantId })
      return { records: records.map((parts) => parts.join('')) }
    } catch (error) {
      return { records: [], reason: reasonOf(error) ?? 'the name servers could not be reached' }
    }
  }
}
