// An archive from its file: its header first, then its lines, each time from the beginning.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { ArchiveError } from './archive-error.ts'
import { type ArchiveHeader, deriveKey, parseHeader } from './archive-header.ts'
import { type ArchiveLine, lineText, parseLine } from './archive-lines.ts'
import { type FrameKey, openFrames } from './sealed-frames.ts'

const headerBytesMax = 4096
/** A row is one line; none that the interface lets in comes near. */
const lineLengthMax = 64 * 1024 * 1024

export interface Archive {
  readonly header: ArchiveHeader
  /**
   * The lines before the end.
   * @throws ArchiveError, at the end at the latest, when they are not all there, in order and as they were written.
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

async function* textLines(frames: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const frame of frames) {
    const [first = '', ...more] = (rest + decoder.decode(frame, { stream: true })).split('\n')
    const last = more.pop()
    if (last === undefined) {
      rest = first
      if (rest.length > lineLengthMax) throw new ArchiveError('a line of the file is too long')
      continue
    }
    yield first
    yield* more
    rest = last
  }
  if (rest !== '') throw new ArchiveError('the file ends within a line')
}

async function* checkedLines(key: FrameKey, file: FileHandle): ReturnType<Archive['lines']> {
  const sum = createHash('sha256')
  const counts = new Map<string, number>()
  let hasEnded = false
  for await (const text of textLines(openFrames(key, file, key.header.length))) {
    if (hasEnded) throw new ArchiveError('the file goes on behind its end')
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
  if (!hasEnded) throw new ArchiveError('the file has no end')
}

/** @throws ArchiveError when it is no archive. */
export async function openArchive(path: string, passphrase: () => Promise<string>): Promise<Archive> {
  const file = await open(path, 'r')
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
