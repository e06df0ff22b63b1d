// The signed-in user, as they may see themselves.
import type { Profile } from '@bailiwick/contract'
import type { Reader } from '../../platform/db/database.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'
import { enrolledSecondFactors } from '../authenticators/second-factors.ts'
import { hasPassword } from '../passwords/passwords.ts'
import { type UserRecord, presentUser } from '../users/present.ts'

/** The factors that a user has. */
export interface OwnFactors {
  readonly hasPassword: boolean
  readonly secondFactors: SecondFactorStrategy[]
}

/** Returns everything but privateMeta, which only the tenant may see. */
export async function profileOf(db: Reader, user: UserRecord): Promise<Profile> {
  const { tenant_id: tenantId, id } = user.row
  const [has, secondFactors] = await Promise.all([
    hasPassword(db, tenantId, id),
    enrolledSecondFactors(db, tenantId, id),
  ])
  return presentProfile(user, { hasPassword: has, secondFactors })
}

export function presentProfile(user: UserRecord, factors: OwnFactors): Profile {
  const { row, emailAddresses, phoneNumbers } = user
  const { role, publicMeta } = presentUser(user)
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    username: row.username,
    imageUri: row.image_uri,
    firstName: row.first_name,
    lastName: row.last_name,
    timezone: row.timezone,
    locale: row.locale,
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
    ...factors,
    isAnonymous: row.is_anonymous === 1,
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
