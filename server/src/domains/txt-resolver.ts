// Looks TXT records up where the configuration says, else where the machine does.
import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'

const timeoutMs = 3000
const tries = 2

/** The TXT records of a name, each joined to one text; a reason for people where there are none. */
export type TxtResolver = (name: string) => Promise<{ readonly records: readonly string[]; readonly reason?: string }>

const reasons: Readonly<Record<string, string>> = {
  ENODATA: 'the name has no TXT record',
  ENOTFOUND: 'the name does not exist',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused',
  ETIMEOUT: 'the name server did not answer in time',
}

export function createTxtResolver({ dnsServers }: Pick<Config, 'dnsServers'>): TxtResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (dnsServers !== undefined) resolver.setServers(dnsServers)
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name)
      return { records: records.map((parts) => parts.join('')) }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      return { records: [], reason: reasons[code] ?? 'the name servers could not be asked' }
    }
  }
}
