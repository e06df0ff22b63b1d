import type { UserRecord } from '../users/present.ts'

/** What an authenticator shows beside the tenant's name, for its owner to tell accounts apart. */
export function accountLabel({ row, emailAddresses, phoneNumbers }: UserRecord): string {
  const email = emailAddresses.find(({ id }) => id === row.primary_email_id)?.email
  const phone = phoneNumbers.find(({ id }) => id === row.primary_phone_id)?.phone
  return email ?? row.username ?? phone ?? row.name ?? row.id
}
