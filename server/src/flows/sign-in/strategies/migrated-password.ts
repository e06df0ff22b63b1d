// The first sign-in of somebody whom a tenant's former system knows: that system says whether the password is right, and who it is. From then
// on the user is one of ours, with a hash of ours. The password goes to the hook's address and nowhere else.
import { connectionsFor } from '../../../enterprise/connections/sign-on-rules.ts'
import type { Deps } from '../../../identity/deps.ts'
import { askFormerSystem } from '../../../identity/passwords/former-system.ts'
import { type Identifier, findIdentified, parseIdentifier } from '../../../identity/users/identifier.ts'
import type { NewUser } from '../../../identity/users/user-rows.ts'
import { userStatements } from '../../../identity/users/users.ts'
import { type HookInUse, decidedTransaction } from '../../../messaging/hooks/decisions.ts'
import { UserDenied, decideUser, withAdditions } from '../../../messaging/hooks/new-user.ts'
import { ConstraintError } from '../../../platform/db/database.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { type UserId, newId } from '../../../platform/ids.ts'
import type { SignInFlow } from '../../frontend/flow.ts'

/** Whether the profile is that of the identifier which was typed; it may leave the identifier out. */
function isSameIdentity(identifier: Identifier, text: string | undefined) {
  if (text === undefined) return true
  const { kind, key } = parseIdentifier(text)
  return kind === identifier.kind && key === identifier.key
}

/** What the hooks are sent about a sign-in with a password that they are to check. */
export const factsOfPassword = ({ call, attempt, identifier }: SignInFlow) => ({
  identifier: attempt.identifier ?? '',
  identifierKind: identifier?.kind ?? null,
  ip: call.ip,
  userAgent: call.ua,
})

/** Asks the hooks. Returns the user to create, or undefined if the password is wrong there or the answer is about somebody else. */
async function askForUser(
  deps: Deps,
  flow: SignInFlow,
  { hooks, identifier, password }: { hooks: readonly HookInUse[]; identifier: Identifier; password: string },
) {
  const typed = flow.attempt.identifier ?? ''
  const additions = await askFormerSystem(deps, flow.tenantId, hooks, factsOfPassword(flow), password)
  if (additions?.profile === undefined) return undefined
  const { profile } = additions
  if (!isSameIdentity(identifier, profile[identifier.kind])) return undefined
  const input: NewUser = { ...profile, [identifier.kind]: profile[identifier.kind] ?? typed }
  return { input, additions }
}

/**
 * Creates the user of an unknown identifier if the tenant's former system says that the password is right.
 * @param hooks the tenant's hooks at `password.migrate`, at least one.
 * @returns the id of the new user; undefined if the sign-in is refused like one with a wrong password.
 * @throws ApiError email_unverified, phone_unverified: the user is created, and verifies the address first.
 */
export async function migrateUser(
  deps: Deps,
  flow: SignInFlow,
  hooks: readonly HookInUse[],
  password: string,
): Promise<UserId | undefined> {
  const { call, tenantId, identifier } = flow
  if (identifier === undefined || identifier.key === '') return undefined
  // Whoever must use a connection is answered like nobody, and their passwords are not judged anywhere.
  if ((await connectionsFor(deps.db, call.tenant, identifier))?.isRequired === true) return undefined
  const found = await askForUser(deps, flow, { hooks, identifier, password })
  if (found === undefined) return undefined
  const { input, additions } = found
  const hash = await deps.passwordPool.hash(tenantId, password)
  const prepared = {
    id: newId<'UserId'>(),
    salt: deps.personal.newSalt(),
    password: { hash, kind: 'own' as const },
    role: undefined,
  }
  try {
    await decidedTransaction(deps, tenantId, async (tx) => {
      const added = await withAdditions(tx, tenantId, { input, prepared }, additions)
      const user = await decideUser(tx, tenantId, 'migration', added)
      const { statements } = userStatements(deps, tx, tenantId, user.input, user.prepared, call.actor(prepared.id))
      await tx.runAll(statements)
    })
  } catch (error) {
    // Another sign-in has created the user at the same moment, or the profile has a name that somebody else has.
    if (error instanceof ConstraintError || error instanceof UserDenied) return undefined
    throw error
  }
  const { emailVerificationRequired, phoneVerificationRequired } = call.tenant.auth
  if (identifier.kind === 'email' && emailVerificationRequired && input.emailVerified !== true)
    throw new ApiError('email_unverified')
  if (identifier.kind === 'phone' && phoneVerificationRequired && input.phoneVerified !== true)
    throw new ApiError('phone_unverified')
  return prepared.id
}

/** Whether nobody has the identifier: not even a user who may not sign in with a password. */
export const isUnknown = async ({ db }: Deps, { tenantId, identifier }: SignInFlow) =>
  identifier !== undefined && (await findIdentified(db, tenantId, identifier)) === undefined
