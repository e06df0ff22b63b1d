// The TXT record that proves a domain, for tenants and for their organizations. Each claim has its own token.
import type { Deps } from '../deps.ts'

export const recordName = (domain: string) => `_bailiwick.${domain}`
export const recordValue = (token: string) => `bailiwick-verification=${token}`

/** Returns undefined if the record exists, otherwise why it does not, for people to read. */
export async function whyUnproven(
  { resolveTxt }: Deps,
  tenantId: string,
  domain: string,
  token: string,
): Promise<string | undefined> {
  const answer = await resolveTxt(recordName(domain), tenantId)
  if (answer.records.includes(recordValue(token))) return undefined
  return answer.reason ?? `none of the ${answer.records.length} TXT records has the value`
}
