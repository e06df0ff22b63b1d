// The TXT record that proves a domain, the same for tenants and their organizations: each claim has a token of its own.
import type { Deps } from '../deps.ts'

export const recordName = (domain: string) => `_bailiwick.${domain}`
export const recordValue = (token: string) => `bailiwick-verification=${token}`

/** Undefined where the record is there, else why it is not, for people. */
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
