// A registered application as users see it.
import type { Authorization } from '@bailiwick/contract'
import type { Config } from '../../platform/config.ts'
import type { ApplicationRow } from './application-records.ts'
import { logoUriOf } from './present.ts'

export type VisibleClient = Authorization['application']

/** Returns the host of a web address, the scheme of another one, and null for anything else. */
export function hostOf(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? host : protocol
}

export const visibleApplication = (
  config: Pick<Config, 'baseUrl'>,
  row: ApplicationRow,
  redirectUri?: unknown,
): VisibleClient => ({
  clientId: row.client_id,
  name: row.name,
  type: row.type,
  logoUri: logoUriOf(config, row),
  termsUri: row.terms_uri,
  policyUri: row.policy_uri,
  // Where the code goes, which a client's own document may put elsewhere than at its own host.
  host: hostOf(redirectUri) ?? (row.origin === 'document' ? hostOf(row.client_id) : null),
  isTrusted: row.origin === 'manual',
})
