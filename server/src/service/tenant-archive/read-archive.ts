// Reads an archive from its file: its header first, then its lines, each time from the beginning.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { ArchiveError } from './archive-error.ts'
import { type ArchiveHeader, deriveKey, parseHeader } from './archive-header.ts'
import { type ArchiveLine, lineText, parseLine } from './archive-lines.ts'
import { type FrameKey, openFrames } from './sealed-frames.ts'

const headerBytesMax = 4096
/** A row is one line; what the interface accepts at once is at most 256 KiB. */
const lineBytesMax = 8 * 1024 * 1024
const lineFeed = 0x0a

export interface Archive {
  readonly header: ArchiveHeader
  /**
   * Yields the lines before the end.
   * @throws ArchiveError, at the end at the latest, if they are not complete, in order and as they were written.
   */
  lines(): AsyncGenerator<Exclude<ArchiveLine, { kind: 'end' }>>
  close(): Promise<void>
}

async function readFirstLine(file: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(headerBytesMax)
  const { bytesRead } = await file.read(buffer, 0, headerBytesMax, 0)
  const end = buffer.subarray(0, bytesRead).indexOf(0x0a)
  if (end === -1) throw new ArchiveError('the file is not an export of a tenant')
  return buffer.subarray(0, end + 1)
}

function textOf(line: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line)
  } catch (cause) {
    throw new ArchiveError('a line of the file is not UTF-8', { cause })
  }
}

async function* textLines(frames: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // Pieces of an unfinished line are joined once, at its end.
  let held: Buffer[] = []
  let heldBytes = 0
  const hold = (piece: Buffer) => {
    heldBytes += piece.length
    if (heldBytes > lineBytesMax) throw new ArchiveError('a line of the file is too long')
    held.push(piece)
  }
  for await (const frame of frames) {
    let start = 0
    for (let end = frame.indexOf(lineFeed); end !== -1; end = frame.indexOf(lineFeed, start)) {
      hold(frame.subarray(start, end))
      const line = Buffer.concat(held)
      held = []
      heldBytes = 0
      start = end + 1
      yield textOf(line)
    }
    if (start < frame.length) hold(frame.subarray(start))
  }
  if (heldBytes > 0) throw new ArchiveError('the file ends within a line')
}

async function* checkedLines(key: FrameKey, file: FileHandle): ReturnType<Archive['lines']> {
  const sum = createHash('sha256')
  const counts = new Map<string, number>()
  let hasEnded = false
  for await (const text of textLines(openFrames(key, file, key.header.length))) {
    if (hasEnded) throw new ArchiveError('the file has data after its end')
    const line = parseLine(text)
    if (line.kind === 'end') {
      hasEnded = true
      const isWhole =
        line.sha256 === sum.digest('hex') && lineText({ ...line, rows: Object.fromEntries(counts) }) === lineText(line)
      if (!isWhole) throw new ArchiveError('the rows of the file are not those that its end counts')
      continue
    }
    sum.update(`${text}\n`)
    if (line.kind === 'row') counts.set(line.table, (counts.get(line.table) ?? 0) + 1)
    yield line
  }
  if (!hasEnded) throw new ArchiveError('the file is incomplete: it has no end mark')
}

/**
 * Reads an archive from an open file, which is closed with it.
 * @throws ArchiveError if it is not an archive; the file is closed then, too.
 */
export async function readArchive(file: FileHandle, passphrase: () => Promise<string>): Promise<Archive> {
  try {
    const firstLine = await readFirstLine(file)
    const header = parseHeader(firstLine.toString())
    const key = { key: await deriveKey(await passphrase(), header), header: firstLine }
    return { header, lines: () => checkedLines(key, file), close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** @throws ArchiveError if it is not an archive. */
export const openArchive = async (path: string, passphrase: () => Promise<string>): Promise<Archive> =>
  readArchive(await open(path, 'r'), passphrase)
