// Lets a caller name the state that its change is based on, so that it overwrites no change that somebody else has made meanwhile.
import { parseCursor } from '@bailiwick/contract'
import { ApiError } from './api-error.ts'

export interface RecordBasis {
  readonly ifUpdatedAt?: string
}

export interface DocumentBasis {
  readonly ifVersion?: string
}

type ChangedRow = { readonly updated_at: string }

/** Returns whether the row, which the transaction holds, is still in the state that the change is based on. */
export function isUnchanged(row: ChangedRow, { ifUpdatedAt }: RecordBasis): boolean {
  const known = ifUpdatedAt === undefined ? undefined : parseCursor(ifUpdatedAt)
  return known === undefined || (row.updated_at >= known.from && row.updated_at <= known.to)
}

/**
 * Refuses a change that is based on an older state of the row. The step that runs the operation adds `current`.
 * @throws ApiError changed_meanwhile
 */
export function assertUnchanged(row: ChangedRow, basis: RecordBasis) {
  if (!isUnchanged(row, basis)) throw new ApiError('changed_meanwhile')
}

/**
 * The same for a document of which every change is a version.
 * @throws ApiError changed_meanwhile
 */
export function assertPresentVersion(version: number, { ifVersion }: DocumentBasis) {
  if (ifVersion !== undefined && Number(ifVersion) !== version) throw new ApiError('changed_meanwhile')
}
