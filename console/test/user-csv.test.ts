// Reads files of separated values as the console does before an import: whatever is in the cells, and wherever the text is cut.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readColumns, readUser, toLines } from '../src/screens/user-transfer/columns.ts'
import { findSeparator, readRecords } from '../src/screens/user-transfer/csv.ts'

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const { signal } = new AbortController()
const asFile = (text: string) => new File([text], 'users.csv')
const importedLines = async (text: string) => {
  const layout = await readColumns(asFile(text), signal)
  return (await (await toLines(asFile(text), layout, signal, () => undefined)).text()).split('\n')
}

describe('a file of separated values', () => {
  it('is read as it was written, whatever its cells contain and wherever it is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', ';', '"', '\n', '\t', 'ü') })
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 9 }),
        async (rows, separator, size) => {
          const text = rows.map((cells) => cells.map(quoted).join(separator)).join('\r\n')
          const records = await readAll(readRecords(pieces(text, size), separator))
          assert.deepEqual(
            records.map(({ cells }) => cells),
            rows,
          )
          const lines = records.reduce((sum, record) => sum + record.lines, 0)
          assert.equal(lines, text.split('\n').length)
        },
      ),
    )
  })

  it('has the separator that its header has most often', () => {
    assert.equal(findSeparator('name;email;"city, country"'), ';')
    assert.equal(findSeparator('name\temail'), '\t')
    assert.equal(findSeparator('email'), ',')
  })

  it('is recognized by the names of its columns, each of which is used once', async () => {
    const { columns, separator } = await readColumns(
      asFile('\uFEFFE-Mail-Adresse;Vorname;Nachname;email;Team\nada@example.com;Ada;Lovelace;;Engines\n'),
      signal,
    )
    assert.equal(separator, ';')
    assert.deepEqual(
      columns.map(({ target }) => target),
      ['email', 'firstName', 'lastName', '', ''],
    )
    assert.equal(columns[0]?.example, 'ada@example.com')
  })

  it('becomes lines of JSON with the numbers of its own lines', async () => {
    const lines = await importedLines(
      'email,note,email_verified\nada@example.com,"two\nlines",yes\n\ngrace@example.com,,no\n',
    )
    assert.deepEqual(lines, [
      '',
      '{"email":"ada@example.com","emailVerified":true}',
      '',
      '',
      '{"email":"grace@example.com","emailVerified":false}',
      '',
    ])
  })

  it('keeps hashes, times and further columns as an import takes them, and leaves empty cells out', () => {
    const column = (name: string, target: string) =>
      ({ name, example: '', target }) as Parameters<typeof readUser>[1][number]
    const columns = [
      column('digest', 'passwordHash'),
      column('since', 'createdAt'),
      column('plan', 'publicMeta'),
      column('first', 'firstName'),
      column('last', 'lastName'),
      column('verified', 'emailVerified'),
    ]
    assert.deepEqual(readUser(['$2b$10$abc', '2024-05-01 10:00:00Z', 'pro', 'Ada', 'Lovelace', 'yes'], columns), {
      passwordHash: { algorithm: 'bcrypt', hash: '$2b$10$abc' },
      createdAt: '2024-05-01T10:00:00.000Z',
      publicMeta: { plan: 'pro' },
      firstName: 'Ada',
      lastName: 'Lovelace',
      name: 'Ada Lovelace',
    })
    assert.deepEqual(readUser(['', '', '', '', '', ''], columns), undefined)
    assert.deepEqual(readUser(['', 'yesterday'], columns), { createdAt: 'yesterday' })
  })
})
