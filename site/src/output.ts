// Writes the built files: as they are for any web server, or as one archive for the service. In the archive they are compressed together,
// which takes a third of the room, because the pages have much in common.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

export interface OutputFile {
  /** Relative to the folder of the site; a page ends with `index.html`. */
  readonly name: string
  readonly content: string | Uint8Array
}

const hash = (content: string | Uint8Array) => createHash('sha256').update(content)

/** Returns a name that changes with the content, so that browsers can keep the file for ever. */
export const hashedName = (name: string, content: string | Uint8Array): string =>
  name.replace(/(\.\w+)$/, `-${hash(content).digest('hex').slice(0, 10)}$1`)

export function writeFolder(folder: string, files: readonly OutputFile[]) {
  for (const { name, content } of files) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

/** What the service reads first: the policy of the pages, and of each file where it begins, how many bytes it has, and its ETag. */
interface ArchiveIndex {
  readonly policy: string
  readonly files: Readonly<Record<string, readonly [start: number, length: number, tag: string]>>
}

/**
 * Writes `site.br`: a line with the index as JSON, then the bytes of all files, compressed by Brotli. `server/src/pages/docs/archive.ts`
 * reads it.
 * @param quality of Brotli: 9 takes a third of a second, 11 ten seconds for a tenth less.
 */
export function writeArchive(folder: string, files: readonly OutputFile[], policy: string, quality: number) {
  const contents = files.map(({ content }) => Buffer.from(content))
  const index: ArchiveIndex = { policy, files: {} }
  let start = 0
  for (const [at, { name }] of files.entries()) {
    const bytes = contents[at] ?? Buffer.alloc(0)
    const tag = `"${hash(bytes).digest('base64url').slice(0, 22)}"`
    Object.assign(index.files, { [name.replace(/index\.html$/, '')]: [start, bytes.length, tag] })
    start += bytes.length
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents])
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'site.br'), brotliCompressSync(whole, { params }))
}
