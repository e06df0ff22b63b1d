import type { Deps } from '../identity/deps.ts'
import type { DataPart } from '../identity/people/export.ts'
import type { EndGrants } from '../identity/people/secure-account.ts'
import type { Feature } from '../platform/feature.ts'
import type { Frontend } from './frontend/frontend-steps.ts'

export interface FlowContext {
  /** What wings above know about a user, for the export of the user's own data. */
  readonly dataParts: readonly DataPart[]
  /** Ends what applications were allowed by a user. */
  readonly endGrants: EndGrants
}

/** A feature with operations of the frontend interface. */
export interface FlowFeature extends Feature<Deps> {
  readonly frontend?: (frontend: Frontend, context: FlowContext) => void
}
