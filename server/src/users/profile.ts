// The signed-in user, as the user may see it.
import type { Profile } from '@bailiwick/contract'
import { enrolledSecondFactors } from '../authenticators/second-factors.ts'
import type { Reader } from '../db/database.ts'
import { hasPassword } from './passwords.ts'
import { type UserRecord, presentUser } from './present.ts'

/** Everything but privateMeta, which is the tenant's own. */
export async function profileOf(db: Reader, user: UserRecord): Promise<Profile> {
  const { row, emailAddresses, phoneNumbers } = user
  const { role, publicMeta } = presentUser(user)
  const [has, secondFactors] = await Promise.all([
    hasPassword(db, row.tenant_id, row.id),
    enrolledSecondFactors(db, row.tenant_id, row.id),
  ])
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    username: row.username,
    imageUri: row.image_uri,
    emails: emailAddresses.map(({ id, email, verified_at, created_at, updated_at }) => ({
      email,
      id,
      verifiedAt: verified_at,
      primary: id === row.primary_email_id,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
    phones: phoneNumbers.map(({ id, phone, verified_at, created_at, updated_at }) => ({
      phone,
      id,
      verifiedAt: verified_at,
      primary: id === row.primary_phone_id,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
    role: role ?? null,
    publicMeta,
    hasPassword: has,
    secondFactors,
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
