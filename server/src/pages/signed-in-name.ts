import { type Profile, frontendEndpoints } from '@bailiwick/contract'
import type { PageCall } from './call/page-call.ts'

/** Returns what a page calls a user: the name, else what the user signs in with. */
export function nameOfProfile({ name, username, emails, phones, id }: Profile): string {
  const email = emails.find(({ primary }) => primary) ?? emails[0]
  return name ?? email?.email ?? username ?? phones[0]?.phone ?? id
}

/** @throws ApiError unauthenticated */
export const signedInName = async (page: PageCall): Promise<string> =>
  nameOfProfile((await page.run(frontendEndpoints.getProfile)).user)
