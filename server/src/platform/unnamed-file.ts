import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Opens a new file that has no name, so that nothing of it is left however the process ends. On Windows, too, a file that is open may be
 * removed, and exists until it is closed.
 */
export async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, randomBytes(16).toString('hex'))
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
