// A secret is sent where other settings say. Whoever may change those and may not read the secret must not have it sent to a place of
// their own: when anything changes that could decide where it goes, it has to be given again.
import type { Issue } from '@bailiwick/contract'

type Settings = Readonly<Record<string, unknown>>

interface Change {
  /** The settings that are no secrets, as they are stored and as they are to be. */
  readonly before: Settings
  readonly after: Settings
  /** Settings that decide nothing about where secrets go. Every other one is held to do so, also one that is not known. */
  readonly harmless: readonly string[]
  /** The paths in the request of the secrets that would stay as they are stored. */
  readonly kept: readonly string[]
}

/** An issue at each secret that would stay although something has changed. */
export function keptSecretIssues({ before, after, harmless, kept }: Change): Issue[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !harmless.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (changed.length === 0) return []
  const message = `must be given again, because a change of ${changed.join(', ')} may send it elsewhere`
  return kept.map((path) => ({ path, code: 'secret_required', message }))
}
