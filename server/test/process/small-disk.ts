// A real file system of a few megabytes, which only root can mount.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  /** Takes all the room that is left. */
  fill(): void
  /** Gives the room back. */
  clear(): void
  remove(): void
}

const chunk = Buffer.alloc(4096, 1)

/** Returns undefined where this user may not mount. */
export function mountSmallDisk(mebibytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-disk-'))
  const mount = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', folder]
  if (spawnSync('mount', mount).status !== 0) {
    rmdirSync(folder)
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      for (;;) {
        try {
          writeFileSync(ballast, chunk, { flag: 'a' })
        } catch {
          return
        }
      }
    },
    clear: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}
