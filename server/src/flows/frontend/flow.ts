// An attempt to sign in that is under way, as its steps see it.
import type { SignInStrategy, FrontendEndpoint } from '@bailiwick/contract'
import type { ConnectionRow } from '../../enterprise/connections/find-connection.ts'
import type { SignInAttemptRow } from '../../identity/attempts/tables.ts'
import type { Claimant } from '../../identity/lockout/lockout.ts'
import type { UserRow } from '../../identity/users/find-user.ts'
import type { Identified, Identifier } from '../../identity/users/identifier.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Statement } from '../../platform/db/sql.ts'
import type { SessionId, TenantId, UserId } from '../../platform/ids.ts'
import type { FrontendCall } from './frontend-call.ts'

export type AnyCall = FrontendCall<FrontendEndpoint>

export interface SignInFlow {
  readonly call: AnyCall
  readonly tenantId: TenantId
  readonly attempt: SignInAttemptRow
  /** The hash of the token for the browser while the attempt is not written yet, which happens with its first proof or departure. */
  readonly unwritten?: { readonly flowHash: string }
  /** The identifier that the attempt is for; undefined before there is one. */
  readonly identifier: Identifier | undefined
  /** The user who has it; undefined if nobody has. */
  readonly identified: Identified | undefined
  readonly claimant: Claimant
  /** The connection to which the browser is sent. */
  readonly connection?: ConnectionRow
}

/** What a strategy returns: who gave the proof, and what remains to be decided in the transaction that it opens. */
export interface Proof {
  readonly userId: UserId | undefined
  /** Returns whether the proof is right, decided together with its use: a code is used up, a password is unchanged. */
  readonly confirm: (tx: Transaction) => Promise<boolean>
  /** The user as the transaction holds it, if `confirm` has read it and nothing has changed it. */
  readonly user?: UserRow | undefined
  /** Returns what a first factor leaves behind. It gets the session that the proof opens, or null while the sign-in goes on. */
  readonly leaves?: (sessionId: SessionId | null) => readonly Statement[]
  /** The address that the proof has shown to belong to the user. */
  readonly provenContact?: { readonly table: 'email_addresses' | 'phone_numbers'; readonly id: string }
  /** Whether it counts as two factors at once, like a passkey with user verification. */
  readonly isTwoFactors?: boolean
  /** Whether the organization leaves the second factor to its provider, of which nothing is known here. */
  readonly asksNoSecondFactor?: boolean
  /** Whether it is no factor itself, but allows the user to set one up. */
  readonly provesMailbox?: true
  /** Returns the recovery codes that were made with a factor that `confirm` has set up. */
  readonly newRecoveryCodes?: () => readonly string[] | undefined
  /** Whether another password must be chosen before anything else. */
  readonly mustChangePassword?: boolean
}

export interface FactorInput {
  readonly code?: string
  readonly password?: string
  readonly newPassword?: string
  readonly credential?: unknown
  /** What a new user gives of the tenant's attributes. */
  readonly attributes?: unknown
  readonly redirectUri?: string
}

/** Where a browser is sent to give its proof. */
export interface Departure {
  readonly authorizeUri: string
  /** Write what the browser is recognised by when it returns, in the write that sends it away. */
  readonly statements: readonly Statement[]
}

/** One way of proving a first or second factor. */
export interface Strategy {
  readonly name: SignInStrategy
  /** Whether its proof is a password, i.e. a guess, which is counted before it is judged. */
  readonly isPassword?: true
  /**
   * Sends what the proof needs, or makes the challenge; returns what the answer contains besides the attempt. Absent if nothing is needed.
   */
  readonly prepare?: (flow: SignInFlow, input: FactorInput) => Promise<Record<string, unknown>>
  /** Takes the place of `prepare` where the proof is given elsewhere. Its attempt may be unwritten. */
  readonly leave?: (flow: SignInFlow, input: FactorInput) => Promise<Departure>
  /** Returns undefined if the input is wrong. */
  readonly attempt: (flow: SignInFlow, input: FactorInput) => Promise<Proof | undefined>
}
