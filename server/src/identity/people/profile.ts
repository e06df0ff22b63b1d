// The signed-in user, as they may see themselves.
import type { Profile } from '@bailiwick/contract'
import type { Database, Reader } from '../../platform/db/database.ts'
import { joinedReads } from '../../platform/db/joined-reads.ts'
import { notFound } from '../../platform/http/api-error.ts'
import type { TimedReader } from '../../platform/http/ends.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { SecondFactorStrategy } from '../../tenancy/tenants/second-factor-settings.ts'
import { enrolledSecondFactors } from '../authenticators/second-factors.ts'
import { hasPassword } from '../passwords/passwords.ts'
import { type UserRecord, presentUser } from '../users/present.ts'
import { findWholeUser } from '../users/users.ts'

/** The factors that a user has. */
interface OwnFactors {
  readonly hasPassword: boolean
  readonly secondFactors: SecondFactorStrategy[]
}

/** A user, and what they can prove it with. */
export interface KnownUser {
  readonly user: UserRecord
  readonly factors: OwnFactors
}

async function findFactors(db: Reader, tenantId: TenantId, id: UserId): Promise<OwnFactors> {
  const [has, secondFactors] = await Promise.all([
    hasPassword(db, tenantId, id),
    enrolledSecondFactors(db, tenantId, id),
  ])
  return { hasPassword: has, secondFactors }
}

/** Adds to a user whose second factors are known whether there is a password, which is read unless it has just been used. */
export async function withFactors(
  db: Reader,
  user: UserRecord,
  secondFactors: SecondFactorStrategy[],
  hasUsedPassword = false,
): Promise<KnownUser> {
  const has = hasUsedPassword || (await hasPassword(db, user.row.tenant_id, user.row.id))
  return { user, factors: { hasPassword: has, secondFactors } }
}

/**
 * Returns a user with their factors, all of which is asked for at the same moment.
 * @throws ApiError not_found
 */
export async function getKnownUser(
  { db, clock }: Pick<TimedReader, 'clock'> & { readonly db: Database },
  tenantId: TenantId,
  id: UserId,
): Promise<KnownUser> {
  const joined = joinedReads(db)
  const [user, factors] = await Promise.all([
    findWholeUser({ db: joined, clock }, tenantId, id),
    findFactors(joined, tenantId, id),
  ])
  if (user === undefined) throw notFound()
  return { user, factors }
}

/** Returns everything but privateMeta, which only the tenant may see. */
export async function profileOf(db: Reader, user: UserRecord): Promise<Profile> {
  return presentProfile(user, await findFactors(db, user.row.tenant_id, user.row.id))
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
