// Runs what every start loads, which server/scripts/bundle.mjs has made one script of, and keeps the code that V8 has compiled of it for the next
// start. Node's own cache keeps only what is compiled before the start begins, and holds all that it has read as long as the process lives.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

const checksumBytes = 4

type Exports = Readonly<Record<string, unknown>>

type Run = (
  require: NodeJS.Require,
  module: { exports: Exports },
  url: string,
  directory: string,
  resolve: (specifier: string) => string,
  load: (specifier: string) => Promise<unknown>,
) => void

let compiled: { readonly script: Script; readonly file: string } | undefined

/** Returns the code that was kept; undefined if there is none, or it was damaged. */
function readCode(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file)
    const code = bytes.subarray(0, -checksumBytes)
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Runs the script.
 * @param place whose name is that of its text, so that the code of another text is never taken for its own.
 * @param resolve as a module beside the script resolves.
 * @param load as a module beside the script imports.
 * @returns what it exports.
 */
export function runScript(
  place: URL,
  resolve: (specifier: string) => string,
  load: (specifier: string) => Promise<unknown>,
): Exports {
  const path = fileURLToPath(place)
  const folder = getCompileCacheDir()
  const file = folder === undefined ? undefined : join(folder, `${basename(path)}.code`)
  const code = file === undefined ? undefined : readCode(file)
  // The bundle is ASCII, which this reads fastest.
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, ...(code && { cachedData: code }) })
  if (file !== undefined && (code === undefined || script.cachedDataRejected === true)) compiled = { script, file }
  const module = { exports: {} }
  const run = script.runInThisContext() as Run
  run(createRequire(path), module, place.href, dirname(path), resolve, load)
  return module.exports
}

/**
 * Keeps the code of all functions that have run by now, if the script was compiled without any. V8 takes it back only under the flags
 * under which it was made, so this comes before those of the start are changed.
 */
export function keepCode(): void {
  if (compiled === undefined) return
  const { script, file } = compiled
  compiled = undefined
  const beside = `${file}.${process.pid}`
  try {
    const code = script.createCachedData()
    const checksum = Buffer.alloc(checksumBytes)
    checksum.writeUInt32LE(crc32(code))
    writeFileSync(beside, Buffer.concat([code, checksum]), { mode: 0o600 })
    renameSync(beside, file)
  } catch {
    // The next start is only slower.
    rmSync(beside, { force: true })
  }
}
