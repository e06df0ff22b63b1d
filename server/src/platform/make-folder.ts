import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Creates a folder, and those above it that are missing, all for their owner alone. Returns the first one that it created, if any.
 *
 * Node's own `recursive: true` never ends where a folder exists but the system answers ENOENT for everything in it, as in `/proc`.
 */
export function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, 0o700)
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && isFolder(path)) return undefined
    if (codeOf(error) !== 'ENOENT' || isFolder(dirname(path)) || dirname(path) === path) throw error
  }
  const first = makeFolder(dirname(path))
  const own = makeFolder(path)
  return first ?? own
}
