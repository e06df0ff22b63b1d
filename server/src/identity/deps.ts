import type { Deps as MediaDeps } from '../media/deps.ts'
import type { IsBreached } from './passwords/breached/breached-passwords.ts'
import type { Signers } from './session-tokens/signers.ts'
import type { SessionDirectory } from './sessions/session-directory.ts'

/** Everything that operations are given: the wings above add nothing of their own. */
export interface Deps extends MediaDeps {
  readonly sessions: SessionDirectory
  readonly signers: Signers
  /** Undefined if the deployment has no list of breached passwords. */
  readonly isBreached: IsBreached | undefined
}
