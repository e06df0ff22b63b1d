// The key that protects all other keys: given by the operator or, in development, kept in a file.
import { hash, randomBytes } from 'node:crypto'
import { type FileHandle, link, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

export interface MasterKey {
  /** The first 8 hexadecimal digits of the key's SHA-256, which every sealed text contains. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The message says what to do and never contains the key. */
export class MasterKeyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MasterKeyError'
  }
}

const keyBytes = 32
const fileName = 'master.key'
const fileBytesMax = 200
/** 32 random bytes hold about 30 different values; fewer than this happen with a probability below 2^-60. */
const differentBytesMin = 16

function decode(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const unpadded = text.replace(/=$/, '')
  for (const encoding of ['base64', 'base64url'] as const) {
    const key = Buffer.from(unpadded, encoding)
    if (key.length === keyBytes && key.toString(encoding).replace(/=$/, '') === unpadded) return key
  }
  return undefined
}

/** Whether the key is text, a counter or a repetition, like keys from examples or typed by hand. */
function isWeak(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const step = (key.readUInt8(1) - key.readUInt8(0)) & 0xff
  const isCounter = key.every((byte, index) => index === 0 || ((byte - key.readUInt8(index - 1)) & 0xff) === step)
  return isText || isCounter || new Set(key).size < differentBytesMin
}

/**
 * @param text 32 random bytes as base64, base64url or 64 hexadecimal digits.
 * @throws MasterKeyError when the text has another form or is not random.
 */
export function parseMasterKey(text: string): MasterKey {
  const key = decode(text)
  if (key === undefined)
    throw new MasterKeyError('must be 32 bytes as base64 or 64 hexadecimal digits: openssl rand -base64 32')
  if (isWeak(key)) throw new MasterKeyError('is not random enough to be a key: openssl rand -base64 32')
  return { id: hash('sha256', key, 'hex').slice(0, 8), key }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Returns the file's text, or undefined if there is no file. The file is opened once, so that the one checked is the one read. */
async function readKeyFile(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const status = await file.stat()
    if (!status.isFile()) throw new MasterKeyError(`${path} is not a file`)
    // Windows has no such modes.
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      throw new MasterKeyError(
        `${path} can be opened by other users of this machine; run: chmod 600 '${path}'` +
          ' (where the file system keeps no modes, set BAILIWICK_MASTER_KEY instead)',
      )
    }
    if (status.size > fileBytesMax) throw new MasterKeyError(`${path} is too large to be a master key`)
    return await file.readFile('latin1')
  } catch (error) {
    if (error instanceof MasterKeyError) throw error
    if (codeOf(error) === 'ENOENT') return undefined
    throw new MasterKeyError(`${path} cannot be read (${String(codeOf(error))})`, { cause: error })
  } finally {
    await file?.close()
  }
}

async function writeDurably(path: string, text: string) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Creates the key file completely or not at all. A file that another process has created meanwhile stays. */
async function createKeyFile(dataDir: string, path: string) {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    makeFolder(dataDir)
    try {
      await writeDurably(draft, `${randomBytes(keyBytes).toString('base64')}\n`)
      // Unlike a rename, a link never replaces an existing file.
      await link(draft, path).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
    } finally {
      await unlink(draft).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
      })
    }
    await syncFolder(dataDir)
  } catch (error) {
    throw new MasterKeyError(`${path} cannot be created (${String(codeOf(error))})`, { cause: error })
  }
}

function parseKeyFile(path: string, text: string): MasterKey {
  try {
    return parseMasterKey(text.trimEnd())
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error
    throw new MasterKeyError(
      `the key in ${path} ${error.message}. Restore the file; without its key the sealed secrets are lost.`,
    )
  }
}

/** @throws MasterKeyError when there is no such file, or it is malformed or open to other users. */
export async function loadMasterKey(path: string): Promise<MasterKey> {
  const text = await readKeyFile(path)
  if (text === undefined) throw new MasterKeyError(`${path} is not there`)
  return parseKeyFile(path, text)
}

/**
 * Returns the master key from a file of the data directory. On the first start it creates `master.key`.
 * @throws MasterKeyError when the file is unreadable, malformed or open to other users; it is never replaced.
 */
export async function loadOrCreateMasterKey(dataDir: string, name: string = fileName): Promise<MasterKey> {
  const path = join(dataDir, name)
  let text = await readKeyFile(path)
  if (text === undefined) {
    await createKeyFile(dataDir, path)
    text = await readKeyFile(path)
  }
  if (text === undefined) throw new MasterKeyError(`${path} was removed while it was being created`)
  return parseKeyFile(path, text)
}
