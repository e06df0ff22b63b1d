// What git knows about the files of an app: whether one is ignored, and whether one has changes that are not committed.
import { execFileSync } from 'node:child_process'

/** Returns what git prints; undefined if it fails, or there is no git or no repository. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

export const isIgnored = (folder: string, file: string): boolean =>
  git(folder, 'check-ignore', '-q', file) !== undefined

/** Whether a file that git knows differs from what was committed. */
export const isModified = (folder: string, file: string): boolean =>
  /^(?!\?\?)../.test(git(folder, 'status', '--porcelain', '--', file) ?? '')
