// Some settings decide where a secret is sent. A caller who may change them but not read the secret must not redirect it to a place of
// their own. Therefore the secret has to be given again when any setting that could decide where it goes changes.
import type { Issue } from '@bailiwick/contract'

type Settings = Readonly<Record<string, unknown>>

interface Change {
  /** The settings that are not secrets, stored and new. */
  readonly before: Settings
  readonly after: Settings
  /** Settings that do not affect where secrets are sent. All others, even unknown ones, are assumed to. */
  readonly harmless: readonly string[]
  /** The paths in the request of secrets that would keep their stored value. */
  readonly kept: readonly string[]
}

/** Returns an issue for each secret that would be kept although such a setting has changed. */
export function keptSecretIssues({ before, after, harmless, kept }: Change): Issue[] {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !harmless.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (changed.length === 0) return []
  const message = `must be sent again, because with the new ${changed.join(', ')} the secret would be sent to another place`
  return kept.map((path) => ({ path, code: 'secret_required', message }))
}
