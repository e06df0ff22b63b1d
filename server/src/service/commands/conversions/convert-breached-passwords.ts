// Turns the list of Have I Been Pwned, one hash and its count in each line in the order of the hashes, into the file that the service reads.
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { buckets, entryLength, headerLength, magic } from '../../../identity/passwords/breached/breached-file.ts'
import { CommandRefused, type Outcome } from '../../outcome.ts'
import type { Tell } from '../terminal/progress.ts'

const hashDigits = 40
const batchLength = 1_048_576

export interface BreachedOptions {
  readonly output: string
  /** Passwords that were seen fewer times are left out. */
  readonly least: number
}

/** Collects entries, writes them in batches, and counts them for the index. */
class EntryWriter {
  readonly #file: FileHandle
  readonly #counts = new Uint32Array(buckets)
  readonly #batch = Buffer.alloc(batchLength * entryLength)
  #length = 0
  count = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async add(hash: Buffer): Promise<void> {
    const bucket = hash.readUInt16BE(0)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#length += hash.copy(this.#batch, this.#length, 2, 2 + entryLength)
    this.count += 1
    if (this.#length === this.#batch.length) await this.#flush()
  }

  async #flush(): Promise<void> {
    const position = headerLength + entryLength * this.count - this.#length
    await this.#file.write(this.#batch, 0, this.#length, position)
    this.#length = 0
  }

  /** Writes the rest, and the header last, so that a file that was cut off is recognised. */
  async end(): Promise<void> {
    await this.#flush()
    const header = Buffer.alloc(headerLength)
    magic.copy(header)
    let before = 0
    for (const [bucket, count] of this.#counts.entries()) {
      header.writeUInt32LE(before, magic.length + 4 * bucket)
      before += count
    }
    header.writeUInt32LE(before, magic.length + 4 * buckets)
    await this.#file.write(header, 0, headerLength, 0)
    await this.#file.sync()
  }
}

/** @throws CommandRefused if a line is no hash with a count */
function parseLine(line: string, number: number): { hash: string; seen: number } {
  const [, hash, count] = /^([\dA-Fa-f]{40}):(\d{1,12})$/.exec(line) ?? []
  if (hash === undefined) {
    throw new CommandRefused(`line ${number} is not ${hashDigits} hexadecimal digits, a colon and a number`)
  }
  return { hash: hash.toUpperCase(), seen: Number(count) }
}

async function convert(input: FileHandle, writer: EntryWriter, least: number, tell: Tell): Promise<void> {
  const { size } = await input.stat()
  let previous = ''
  let number = 0
  let read = 0
  for await (const line of input.readLines({ encoding: 'latin1', autoClose: false })) {
    number += 1
    read += line.length + 1
    if (number % batchLength === 0) tell('bytes read', read, size)
    const { hash, seen } = parseLine(line, number)
    if (hash <= previous) throw new CommandRefused(`line ${number} is not in the order of the hashes`)
    previous = hash
    if (seen >= least) await writer.add(Buffer.from(hash, 'hex'))
  }
}

async function openInput(path: string): Promise<FileHandle> {
  try {
    return await open(path)
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Writes the file beside its place and then puts it there, so that a running service keeps the one it has opened. */
export async function convertBreachedPasswords(
  path: string,
  { output, least }: BreachedOptions,
  tell: Tell,
): Promise<Outcome> {
  const input = await openInput(path)
  const unfinished = `${output}.unfinished`
  const file = await open(unfinished, 'w')
  try {
    const writer = new EntryWriter(file)
    await convert(input, writer, least, tell)
    await writer.end()
    await rename(unfinished, output)
    return { text: `${writer.count} passwords are in ${output}.`, json: { passwords: writer.count, output } }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await Promise.all([file.close(), input.close()])
  }
}
