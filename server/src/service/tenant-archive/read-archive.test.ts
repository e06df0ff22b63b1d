// The end of an archive says how much must have come before it, in addition to what its frames guarantee.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ArchiveError } from './archive-error.ts'
import { deriveKey, newHeader } from './archive-header.ts'
import { type ArchiveLine, lineText } from './archive-lines.ts'
import { openArchive } from './read-archive.ts'
import { sealFrames } from './sealed-frames.ts'

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-read-'))
after(() => rmSync(folder, { recursive: true }))
const passphrase = 'as long as nobody guesses it'
const tenantId = 'c0mwrs4scja7jesazn0kjawwd'

const row = {
  kind: 'row',
  table: 'roles',
  row: { id: 'r', size: 1.5, none: null, bytes: Buffer.from([0, 255]) },
} as const
const counter = { kind: 'counter', name: 'users_created:2026-11-20', value: -2 } as const
const whole: readonly ArchiveLine[] = [row, counter]

function endOf(lines: readonly ArchiveLine[], rows: Record<string, number> = { roles: 1 }): ArchiveLine {
  const sha256 = createHash('sha256').update(lines.map(lineText).join('')).digest('hex')
  return { kind: 'end', rows, sha256 }
}

/** What is read from a file with these texts in its frames. */
async function read(texts: readonly string[]) {
  const header = newHeader(tenantId, '2026-11-21T13:00:00.000000Z', '0001-version-0-1-0')
  const firstLine = Buffer.from(`${JSON.stringify(header)}\n`)
  const pieces: Buffer[] = [firstLine]
  async function* source() {
    yield* texts
  }
  const key = { key: await deriveKey(passphrase, header), header: firstLine }
  for await (const frame of sealFrames(key, source())) pieces.push(frame)
  const path = join(folder, 'archive')
  writeFileSync(path, Buffer.concat(pieces))
  const archive = await openArchive(path, async () => passphrase)
  try {
    const lines: ArchiveLine[] = []
    for await (const line of archive.lines()) lines.push(line)
    return lines
  } finally {
    await archive.close()
  }
}

const texts = (...lines: readonly ArchiveLine[]) => lines.map(lineText)

describe('an archive', () => {
  it('yields its lines as they were written', async () => {
    assert.deepEqual(await read(texts(...whole, endOf(whole))), whole)
  })

  it('is refused if its end is missing, wrong, or not the end', async () => {
    const end = endOf(whole)
    for (const [what, lines] of [
      ['no end', texts(...whole)],
      ['nothing at all', []],
      ['another count', texts(...whole, endOf(whole, { roles: 2 }))],
      ['another table', texts(...whole, endOf(whole, { roles: 1, users: 0 }))],
      ['another sum', texts(row, end)],
      ['more behind it', texts(...whole, end, counter)],
      ['half a line', [...texts(...whole, end), '{']],
      ['no JSON', ['nothing\n']],
      ['an unknown line', ['{"kind":"else"}\n']],
      ['a line that is too long', [`"${'x'.repeat(8 * 1024 * 1024)}"\n`, ...texts(endOf([]))]],
      ['an object that is nested too deeply', ['{"kind":"row","table":"roles","row":{"a":{"base64":"","b":{}}}}\n']],
      ['a value that no column holds', ['{"kind":"row","table":"roles","row":{"a":[1]}}\n']],
    ] as const) {
      await assert.rejects(read(lines), ArchiveError, what)
    }
  })

  // Guards: edited-archives
  it('is refused, before its lines are parsed, if they would take too much memory', async () => {
    const columns = Array.from({ length: 1000 }, (_, number) => `"c${number}":1`).join(',')
    for (const [line, reason] of [
      [`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, /nested too deeply/],
      [`{"kind":"row","table":"roles","row":{"a":${'['.repeat(100_000)}`, /holds a list/],
      [`{"kind":"row","table":"roles","row":{${columns}}}`, /too many values/],
      [`{"kind":"row","table":"${'x'.repeat(8 * 1024 * 1024)}","row":{}}`, /too long/],
    ] as const) {
      await assert.rejects(read([`${line}\n`]), (error: Error) => {
        assert.ok(error instanceof ArchiveError)
        assert.match(error.message, reason)
        return true
      })
    }
    const quoted = { kind: 'row', table: 'roles', row: { a: `[{"\\${'[,{'.repeat(2000)}` } } as const
    const long = { kind: 'row', table: 'roles', row: { a: 'ü\n'.repeat(200_000), b: '\ufeff' } } as const
    const lines = [quoted, long, quoted]
    assert.deepEqual(await read(texts(...lines, endOf(lines, { roles: 3 }))), lines)
  })
})
