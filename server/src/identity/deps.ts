import type { Deps as MediaDeps } from '../media/deps.ts'
import type { Signers } from './session-tokens/signers.ts'
import type { SessionDirectory } from './sessions/session-directory.ts'

/** Everything that operations are given: the wings above add nothing of their own. */
export interface Deps extends MediaDeps {
  readonly sessions: SessionDirectory
  readonly signers: Signers
}
