// Archives that somebody with the passphrase has edited: taken whole or not at all, and the reason is said.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { exported, newService, passphrase } from '../../test/archives.ts'
import { type World, createWorld } from '../../test/requests.ts'
import type { TestService } from '../../test/service.ts'
import { dumpTables } from '../../test/table-dump.ts'
import { ArchiveError } from './archive-error.ts'
import { importTenant } from './import-tenant.ts'
import { type Archive, openArchive } from './read-archive.ts'
import { engines } from '../../test/databases.ts'

type Line = Archive['lines'] extends () => AsyncGenerator<infer Each> ? Each : never

const isRowOf = (line: Line, table: string) => line.kind === 'row' && line.table === table

const edits: readonly { name: string; edit: (lines: readonly Line[]) => readonly Line[]; reason: RegExp }[] = [
  {
    name: 'with a counter that the rows tell',
    edit: (lines) => [...lines, { kind: 'counter', name: 'users', value: 1000 }],
    reason: /a counter users that no export has/,
  },
  {
    name: 'with a row twice',
    edit: (lines) => lines.flatMap((line) => (isRowOf(line, 'organizations') ? [line, line] : [line])),
    reason: /must be unique \(organizations_/,
  },
  {
    name: 'with users behind what refers to them',
    edit: (lines) => [
      ...lines.filter((line) => !isRowOf(line, 'users')),
      ...lines.filter((line) => isRowOf(line, 'users')),
    ],
    reason: /do not fit together \(foreign_key\)/,
  },
  {
    name: 'without its users',
    edit: (lines) => lines.filter((line) => !isRowOf(line, 'users')),
    reason: /do not fit together \(foreign_key\)/,
  },
  {
    name: 'with a text that is sealed as it would be in another database',
    edit: (lines) =>
      lines.map((line) =>
        isRowOf(line, 'webhooks') && line.kind === 'row'
          ? { ...line, row: { ...line.row, sealed_secret: 'v1.key.nonce.text', 'sealed_secret:opened': null } }
          : line,
      ),
    reason: /a sealed text in webhooks\.sealed_secret/,
  },
  {
    name: 'with pieces of a picture that have no bytes',
    edit: (lines) => [...lines, { kind: 'bytes', of: 'none', data: Buffer.alloc(0) }],
    reason: /an empty piece of a picture/,
  },
  {
    name: 'with a required column that is null',
    edit: (lines) =>
      lines.map((line) =>
        line.kind === 'row' && line.table === 'roles' ? { ...line, row: { ...line.row, name: null } } : line,
      ),
    reason: /do not fit together \(roles\.name_check\)/,
  },
]

for (const engine of engines) {
  describe(`an edited archive, imported on ${engine}`, () => {
    let target: TestService
    let world: World
    let path: string
    before(async () => {
      const source = await newService('sqlite')
      world = await createWorld(source)
      path = await exported(source, world.tenantId)
      target = await newService(engine)
    })

    for (const { name, edit, reason } of edits) {
      it(`is refused ${name}, and leaves nothing`, async () => {
        const archive = await openArchive(path, async () => passphrase)
        try {
          const kept: Line[] = []
          for await (const line of archive.lines()) kept.push(line)
          const edited = edit(kept)
          assert.notDeepEqual(edited, kept)
          const lines: Archive['lines'] = async function* () {
            yield* edited
          }
          const { sqlite_sequence: _before, ...held } = await dumpTables(target.deps.db)
          await assert.rejects(importTenant(target.deps, { ...archive, lines }), (error: Error) => {
            assert.ok(error instanceof ArchiveError)
            assert.match(error.message, reason)
            return true
          })
          const { sqlite_sequence: _after, ...left } = await dumpTables(target.deps.db)
          assert.deepEqual(left, held)
        } finally {
          await archive.close()
        }
      })
    }
  })
}
