// Reads the documentation as it was built (site/src/output.ts): one archive, which is in memory while somebody reads, and not before or after.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const brotliDecompress = promisify(zlib.brotliDecompress)
const brotliCompress = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** Where the build is in the repository, and in the published package. */
const places = ['../../../../site/.built', '../../docs'].map((path) => join(import.meta.dirname, path, 'site.br'))
/** How long the archive stays in memory after the last request for it. */
const keptMs = 60_000
/** Fast, for what is compressed once and sent to a few readers. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } }

export type Encoding = 'br' | 'gzip' | 'identity'

export interface ArchiveFile {
  readonly bytes: Buffer
  /** With its quotes. */
  readonly tag: string
}

/** The site as it was when it was read. */
export interface Archive {
  /** The Content-Security-Policy of its pages. */
  readonly policy: string
  /** @param name a page's ends with a slash or is empty. */
  readonly find: (name: string) => ArchiveFile | undefined
  /** Compresses a file, once for as long as the archive is in memory. */
  readonly encode: (file: ArchiveFile, encoding: Encoding) => Promise<Buffer>
}

interface ArchiveIndex {
  readonly policy: string
  readonly files: Readonly<Record<string, readonly [start: number, length: number, tag: string]>>
}

function openArchive(bytes: Buffer): Archive {
  const contentsStart = bytes.indexOf('\n') + 1
  const { policy, files } = JSON.parse(bytes.toString('utf8', 0, contentsStart)) as ArchiveIndex
  const encoded = new Map<string, Promise<Buffer>>()
  return {
    policy,
    find(name) {
      if (!Object.hasOwn(files, name)) return undefined
      const [start, length, tag] = files[name] ?? [0, 0, '']
      const at = contentsStart + start
      return { bytes: bytes.subarray(at, at + length), tag }
    },
    encode({ bytes: plain, tag }, encoding) {
      if (encoding === 'identity') return Promise.resolve(plain)
      const key = `${encoding} ${tag}`
      const known = encoded.get(key) ?? (encoding === 'br' ? brotliCompress(plain, quality) : gzip(plain))
      encoded.set(key, known)
      return known
    },
  }
}

interface Held {
  readonly path: string
  readonly changedMs: number
  readonly archive: Promise<Archive>
}

let current: Held | undefined
let forgetting: NodeJS.Timeout | undefined

async function findBuild() {
  for (const path of places) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() === true) return { path, changedMs: found.mtimeMs }
  }
  return undefined
}

/** Returns the present build of the site; undefined if there is none. A new build is read at once. */
export async function readArchive(): Promise<Archive | undefined> {
  const build = await findBuild()
  if (build === undefined) return undefined
  if (current?.path !== build.path || current.changedMs !== build.changedMs) {
    current = {
      ...build,
      archive: readFile(build.path).then(async (bytes) => openArchive(await brotliDecompress(bytes))),
    }
    current.archive.catch(() => (current = undefined))
  }
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (current = undefined), keptMs).unref()
  return current.archive
}
