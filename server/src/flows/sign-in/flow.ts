// An attempt to sign in that is under way, as its steps see it.
import type { SignInStrategy } from '@bailiwick/contract'
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { FrontendCall } from '../frontend/frontend-call.ts'
import type { FrontendEndpoint } from '@bailiwick/contract'
import type { Claimant } from '../../identity/lockout/lockout.ts'
import type { TenantId, UserId } from '../../platform/ids.ts'
import type { Identified, Identifier } from '../../identity/users/identifier.ts'

export type AnyCall = FrontendCall<FrontendEndpoint>

export interface SignInFlow {
  readonly call: AnyCall
  readonly tenantId: TenantId
  readonly attempt: SignInAttemptRow
  /** Of the token that the browser is to hold, while the attempt is not written yet: that comes with its first proof. */
  readonly unwritten?: { readonly flowHash: string }
  /** What the attempt is for; undefined before there is one. */
  readonly identifier: Identifier | undefined
  /** Who has it; undefined where nobody has. */
  readonly identified: Identified | undefined
  readonly claimant: Claimant
}

/** What a strategy answers with: whose proof it was, and what remains to be decided in the transaction that it opens. */
export interface Proof {
  readonly userId: UserId | undefined
  /** Whether the proof is good, decided together with its use: a code is used up, a password still stands. */
  readonly confirm: (tx: Transaction) => Promise<boolean>
  /** The address that the proof has shown to be the user's. */
  readonly provenContact?: { readonly table: 'email_addresses' | 'phone_numbers'; readonly id: string }
  /** Whether it counts as two factors at once, as a passkey with user verification does. */
  readonly isTwoFactors?: boolean
  /** Another password has to be chosen before anything else. */
  readonly mustChangePassword?: boolean
}

export interface FactorInput {
  readonly code?: string
  readonly password?: string
  readonly newPassword?: string
  readonly credential?: unknown
  readonly redirectUri?: string
}

/** One way of proving a first or second factor. */
export interface Strategy {
  readonly name: SignInStrategy
  /** Whether its proof is a password: a guess, which is taken before it is judged. */
  readonly isPassword?: true
  /** Sends what the proof needs, or makes the challenge; what the answer carries beside the attempt. Absent where nothing is needed. */
  readonly prepare?: (flow: SignInFlow, input: FactorInput) => Promise<Record<string, unknown>>
  /** Undefined: the input is not right. */
  readonly attempt: (flow: SignInFlow, input: FactorInput) => Promise<Proof | undefined>
}
