// Lets a caller name the state that its change is based on, so that it overwrites no change that somebody else has made meanwhile.
import { parseCursor } from '@bailiwick/contract'
import { ApiError } from './api-error.ts'

export interface RecordBasis {
  readonly ifUpdatedAt?: string
}

export interface DocumentBasis {
  readonly ifVersion?: string
}

/**
 * Refuses a change that is based on an older state of the row, which the transaction holds.
 * @throws ApiError changed_meanwhile
 */
export function assertUnchanged(row: { readonly updated_at: string }, { ifUpdatedAt }: RecordBasis) {
  const known = ifUpdatedAt === undefined ? undefined : parseCursor(ifUpdatedAt)
  if (known === undefined) return
  if (row.updated_at < known.from || row.updated_at > known.to) throw new ApiError('changed_meanwhile')
}

/**
 * The same for a document of which every change is a version.
 * @throws ApiError changed_meanwhile
 */
export function assertPresentVersion(version: number, { ifVersion }: DocumentBasis) {
  if (ifVersion !== undefined && Number(ifVersion) !== version) throw new ApiError('changed_meanwhile')
}
