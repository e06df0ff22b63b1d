// The packed packages for tests. The files of one run share them, because packing takes as long as most of what is tested on them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PackedPackage, packAll } from './build.ts'
import { repository } from './published.ts'

/** The compiler finds the types of dependencies only from a folder within the repository. */
const prefix = join(repository, 'node_modules/.packages-')
const pauseMs = 100

export interface PackedPackages {
  readonly packages: readonly PackedPackage[]
  /** Removes them, unless other files of this run use them too. */
  readonly remove: () => void
}

/** Returns the folder that `npm test` names in TEST_PACKAGES and removes at its end. */
export const sharedPackagesFolder = (run: string) => prefix + run

/** Packs every package, or returns what another file of the same run has packed. Nobody may change them. */
export async function packedPackages(): Promise<PackedPackages> {
  const shared = process.env['TEST_PACKAGES']
  if (shared === undefined) {
    const folder = mkdtempSync(prefix)
    return { packages: packAll(folder), remove: () => rmSync(folder, { recursive: true, force: true }) }
  }
  const list = join(shared, 'packages.json')
  if (isFirst(shared)) packInto(shared, list)
  while (!existsSync(list)) await sleep(pauseMs)
  const packages = JSON.parse(readFileSync(list, 'utf8')) as PackedPackage[]
  if (packages.length === 0) throw new Error('the packages could not be packed: see the messages of the other file')
  return { packages, remove: () => undefined }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** An empty list says that it has failed. */
function packInto(folder: string, list: string) {
  let packages: readonly PackedPackage[] = []
  try {
    packages = packAll(join(folder, 'packed'))
  } finally {
    writeFileSync(`${list}.part`, JSON.stringify(packages))
    renameSync(`${list}.part`, list)
  }
}
