// What the provider of an organization says of a person as the proof of a first factor. The transaction that uses it decides whose it is.
import { admit } from '../../enterprise/connections/admit.ts'
import { keepSaid } from '../../enterprise/connections/attribute-mappings.ts'
import { keepSamlName } from '../../enterprise/saml/sign-ins.ts'
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import type { Deps } from '../../identity/deps.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { UserId } from '../../platform/ids.ts'
import type { AttributeValues } from '../../tenancy/tenants/attributes/values.ts'
import type { AnyCall, Proof } from '../frontend/flow.ts'
import type { VerifiedPerson } from '../providers/provider.ts'

export interface EnterpriseProof extends Proof {
  /** Whether the organization's provider was right about the person, who may not sign in all the same. */
  readonly isRefused: () => boolean
}

/**
 * @param take uses up the ticket that carried the person; returns false if it was used already.
 * @param values what a new user gives of the tenant's attributes.
 */
export function enterpriseProof(
  deps: Deps,
  call: AnyCall,
  attempt: SignInAttemptRow,
  { connection, person, saml }: VerifiedPerson,
  take: (tx: Transaction) => Promise<boolean> = async () => true,
  values: AttributeValues = {},
): EnterpriseProof {
  let userId: UserId | undefined
  let user: UserRow | undefined
  let isRefused = false
  let leaves: NonNullable<Proof['leaves']> = () => []
  return {
    get userId() {
      return userId
    },
    get user() {
      return user
    },
    leaves: (sessionId) => leaves(sessionId),
    asksNoSecondFactor: connection.second_factor === 'skip',
    isRefused: () => isRefused,
    async confirm(tx) {
      // An attempt that has been begun again, with another address or connection, no longer accepts this one.
      if (attempt.oauth_provider_id !== connection.id) throw new ApiError('attempt_not_open')
      if (!call.tenant.auth.signInEnabled) throw new ApiError('sign_in_disabled')
      if (!(await take(tx))) return false
      const asked = { attributes: call.tenant.attributes, values }
      const admission = await admit(deps, tx, connection, person, (id) => call.actor(id), asked)
      isRefused = 'refusal' in admission
      if ('userId' in admission) {
        const { statements } = admission
        ;({ userId, user } = admission)
        const actor = call.actor(admission.userId)
        const said = { attemptId: attempt.id, userId: admission.userId, claims: person.claims, actor }
        const keep = await keepSaid(deps, tx, call.tenant, connection, said)
        leaves = (sessionId) => [
          ...statements,
          keep(sessionId),
          ...(saml === undefined ? [] : [keepSamlName(deps, connection, attempt.id, saml, sessionId)]),
        ]
      }
      return userId !== undefined
    },
  }
}
