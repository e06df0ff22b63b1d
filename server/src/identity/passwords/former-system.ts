// Passwords that only a tenant's former system can check: a hook asks it whether one is right, or for a hash to check it by. From then on the
// password is hashed here, and nobody is asked again.
import type { HookAdditions } from '@bailiwick/contract'
import { type HookInUse, consultHooks, hooksInUse } from '../../messaging/hooks/decisions.ts'
import { encodeImportedHash } from '../../platform/crypto/imported-hash.ts'
import { eventStatement } from '../../platform/events/append.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import type { Deps } from '../deps.ts'
import { type ForeignPassword, type PasswordCheck, checkUserPassword, updateHash } from './passwords.ts'

/** Whether an answer's own hash is one of the password; of a foreign one nobody here can say. */
async function matchesHash(
  { passwordPool }: Deps,
  tenantId: TenantId,
  passwordHash: NonNullable<HookAdditions['passwordHash']>,
  password: string,
): Promise<boolean> {
  const hash = encodeImportedHash(passwordHash)
  if (passwordHash.algorithm === 'foreign' || 'issue' in hash) return false
  return passwordPool.verify(tenantId, { kind: 'imported', encoded: hash.encoded }, password)
}

/**
 * Asks the hooks whether a password is right. Without a valid answer of each nobody knows, whatever their rule for failures is.
 * @param facts what the hooks are sent beside the password, which only those get that receive passwords.
 * @returns what the answers add if it is right, else undefined.
 */
export async function askFormerSystem(
  deps: Deps,
  tenantId: TenantId,
  hooks: readonly HookInUse[],
  facts: object,
  password: string,
): Promise<HookAdditions | undefined> {
  const { isAllowed, isAnswered, additions = {} } = await consultHooks(deps, hooks, { ...facts, password })
  if (!isAllowed || !isAnswered) return undefined
  const { passwordHash } = additions
  const isRight =
    passwordHash === undefined
      ? hooks.every(({ receives_passwords: isReceiving }) => isReceiving === 1)
      : await matchesHash(deps, tenantId, passwordHash, password)
  return isRight ? additions : undefined
}

/** Hashes a password here that was right there, unless the user has got another one meanwhile. */
async function adopt(
  deps: Deps,
  owner: { readonly tenantId: TenantId; readonly userId: UserId },
  { sealed }: ForeignPassword,
  password: string,
  actor: Actor,
) {
  const { tenantId, userId } = owner
  const hash = await deps.passwordPool.hash(tenantId, password)
  await deps.db.transaction(async (tx) => {
    if ((await tx.run(updateHash(tenantId, userId, sealed, hash))) === 0) return
    const event = { tenantId, type: 'user.password_migrated', actor, subjectId: userId, data: {} } as const
    await tx.run(eventStatement(deps.clock, deps.personal, event))
  })
}

interface Asking {
  /** What the hooks are sent beside user, hash and password. */
  readonly facts: object
  readonly actor: Actor
  /** Whether the hooks may be asked about this user; always by default. */
  readonly isAskable?: (userId: UserId) => Promise<boolean>
}

/**
 * Checks a password like `checkUserPassword`, also one that the tenant's former system has to check.
 * @throws TurnsSaturated
 */
export async function checkPasswordAnywhere(
  deps: Deps,
  tenant: TenantEntry,
  whose: { readonly userId: UserId | undefined; readonly identifierKey: string },
  password: string,
  { facts, actor, isAskable = async () => true }: Asking,
): Promise<PasswordCheck> {
  const tenantId = tenant.row.id
  const checked = await checkUserPassword(deps, tenantId, whose, password)
  const { foreign } = checked
  const { userId } = whose
  if (foreign === undefined || userId === undefined) return checked
  const hooks = await hooksInUse(deps.db, tenant, 'password.migrate')
  if (hooks.length === 0 || !(await isAskable(userId))) return checked
  const known = { ...facts, userId, passwordHash: foreign.hash }
  if ((await askFormerSystem(deps, tenantId, hooks, known, password)) === undefined) return checked
  await adopt(deps, { tenantId, userId }, foreign, password, actor)
  return checkUserPassword(deps, tenantId, whose, password)
}
