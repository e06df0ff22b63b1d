// Archives that somebody with the passphrase has edited: they are imported completely or not at all, and the reason is given.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { engines } from '../../../test/harness/databases/databases.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { exported, newService, passphrase } from '../../../test/harness/files/archives.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { type World, createWorld } from '../../../test/matrix/world.ts'
import type { Database } from '../../platform/db/database.ts'
import { dayCountNames } from '../../platform/statistics/day-counters.ts'
import { ArchiveError } from './archive-error.ts'
import type { ArchiveRow } from './archive-lines.ts'
import { importTenant } from './import-tenant.ts'
import { inspectArchive } from './inspect-archive.ts'
import { type Archive, openArchive } from './read-archive.ts'

type Line = Archive['lines'] extends () => AsyncGenerator<infer Each> ? Each : never

const isRowOf = (line: Line, table: string) => line.kind === 'row' && line.table === table

/** Sets these values in each row of the table. */
const withValues =
  (table: string, values: ArchiveRow) =>
  (lines: readonly Line[]): readonly Line[] =>
    lines.map((line) =>
      line.kind === 'row' && line.table === table ? { ...line, row: { ...line.row, ...values } } : line,
    )

const cheapHash = '$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'
const expensiveHash = '$argon2id$v=19$m=4194304,t=50,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'

function* manyCounters(): Generator<Line> {
  for (let number = 0; number <= 200_000; number++) {
    const day = new Date(Math.floor(number / dayCountNames.length) * 86_400_000).toISOString().slice(0, 10)
    yield { kind: 'counter', name: `${dayCountNames[number % dayCountNames.length]}:${day}`, value: 1 }
  }
}

/** With a password for its first user. */
const withPassword =
  (values: ArchiveRow) =>
  (lines: readonly Line[]): readonly Line[] => {
    const user = lines.find((line) => isRowOf(line, 'users'))
    assert.ok(user?.kind === 'row')
    const { tenant_id, id, created_at, updated_at } = user.row
    const row = { tenant_id, user_id: id, created_at, updated_at, ...values } as ArchiveRow
    return [...lines, { kind: 'row', table: 'passwords', row }]
  }

/** The own role of an organization becomes that of another one, while the rows of this table in the first one have it. */
const withForeignRole =
  (table: string) =>
  (lines: readonly Line[]): readonly Line[] => {
    const rows = lines.flatMap((line) => (line.kind === 'row' ? [line] : []))
    const role = rows.find(({ table: name, row }) => name === 'roles' && row['organization_id'] !== null)?.row
    const isOther = ({ row }: (typeof rows)[number]) => row['id'] !== role?.['organization_id']
    const other = rows.find((line) => line.table === 'organizations' && isOther(line))?.row
    assert.ok(role !== undefined && other !== undefined)
    const [roleId = null, organizationId = null, otherId = null] = [role['id'], role['organization_id'], other['id']]
    return lines.map((line) => {
      if (line.kind !== 'row') return line
      if (line.row === role) return { ...line, row: { ...role, organization_id: otherId } }
      const isHolder = line.table === table && (table === 'users' || line.row['organization_id'] === organizationId)
      return isHolder ? { ...line, row: { ...line.row, role_id: roleId } } : line
    })
  }

const counter = (name: string, value = 1): Line => ({ kind: 'counter', name, value })

const edits: readonly { name: string; edit: (lines: readonly Line[]) => readonly Line[]; reason: RegExp }[] = [
  {
    name: 'with a counter that the rows tell',
    edit: (lines) => [...lines, { kind: 'counter', name: 'users', value: 1000 }],
    reason: /a counter users that no export has/,
  },
  {
    name: 'with a doubled row',
    edit: (lines) => lines.flatMap((line) => (isRowOf(line, 'organizations') ? [line, line] : [line])),
    reason: /must be unique \(organizations_/,
  },
  {
    name: 'with users after what refers to them',
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
    edit: withValues('templates', { body: null }),
    reason: /do not fit together \(templates\.body_check\)/,
  },
  {
    name: 'with a password whose cost is checked on one text while another is kept',
    edit: withPassword({ kind: 'own', hash: cheapHash, 'hash:opened': expensiveHash }),
    reason: /two values for passwords\.hash/,
  },
  {
    name: 'with a password of another service that is not sealed',
    edit: withPassword({ kind: 'imported', hash: expensiveHash }),
    reason: /is of no known form/,
  },
  {
    name: 'with a foreign password that is not sealed',
    edit: withPassword({ kind: 'foreign', hash: cheapHash }),
    reason: /is of no known form/,
  },
  {
    name: 'with a password that is bytes',
    edit: withPassword({ kind: 'own', hash: Buffer.from(cheapHash) }),
    reason: /is of no known form/,
  },
  {
    name: 'with two values for a secret',
    edit: withValues('channels', { sealed_secrets: 'plain', 'sealed_secrets:opened': '{}' }),
    reason: /two values for channels\.sealed_secrets/,
  },
  {
    name: 'with an opened secret that is no text',
    edit: withValues('webhooks', { sealed_secret: 'plain', 'sealed_secret:opened': 1 }),
    reason: /two values for webhooks\.sealed_secret/,
  },
  ...['never', '2026-11-22T11:54:44Z', '2026-02-30T00:00:00.000000Z', 1].map((value) => ({
    name: `with ${value} for a time`,
    edit: withValues('users', { last_active_at: value }),
    reason: /other than a time in users\.last_active_at/,
  })),
  {
    name: 'with another form of time in a column that does not end in _at',
    edit: withValues('webhooks', { held_until: 'later' }),
    reason: /other than a time in webhooks\.held_until/,
  },
  {
    name: 'with permissions that are not JSON',
    edit: withValues('roles', { permissions: '["users:read"' }),
    reason: /other than JSON in roles\.permissions/,
  },
  {
    name: 'with permissions that are an object',
    edit: withValues('roles', { permissions: '{}' }),
    reason: /in roles\.permissions \(row 1, c\w+\): it must be array/,
  },
  {
    name: 'with more metadata than the interface takes',
    edit: withValues('users', { private_meta: JSON.stringify('x'.repeat(16_384)) }),
    reason: /in users\.private_meta \(row 1, c\w+\): it must be smaller than 16 KiB/,
  },
  {
    name: 'with secrets of a channel that are not JSON',
    edit: withValues('channels', { 'sealed_secrets:opened': 'none' }),
    reason: /must be the settings of the channel's provider/,
  },
  {
    name: 'with a counter twice',
    edit: (lines) => [...lines, counter('files_deleted:2026-01-01'), counter('files_deleted:2026-01-01')],
    reason: /files_deleted:2026-01-01 twice/,
  },
  {
    name: 'with a counter too large to be added to',
    edit: (lines) => [...lines, counter('files_deleted:2026-01-01', Number.MAX_SAFE_INTEGER)],
    reason: /files_deleted:2026-01-01 of the file is too large/,
  },
  {
    name: 'with a counter too small to be added to',
    edit: (lines) => [...lines, counter('files_deleted:2026-01-01', -Number.MAX_SAFE_INTEGER)],
    reason: /files_deleted:2026-01-01 of the file is too large/,
  },
  ...['files_deleted:2026-02-30', 'anything:2026-01-01', 'files_deleted:x:2026-01-01'].map((name) => ({
    name: `with a counter ${name}`,
    edit: (lines: readonly Line[]) => [...lines, counter(name)],
    reason: /that no export has/,
  })),
  {
    name: 'with more counters than days can have',
    edit: (lines) => [...lines, ...manyCounters()],
    reason: /too many counters/,
  },
  ...['users', 'organization_members', 'organization_invitations', 'organization_groups'].map((table) => ({
    name: `with the role of an organization in ${table} outside it`,
    edit: withForeignRole(table),
    reason: new RegExp(`gives the role c\\w+ of an organization in ${table} to others than its own`),
  })),
  {
    name: 'with a role of an organization that it does not hold',
    edit: withValues('roles', { organization_id: 'cmibqz0000000000000000000' }),
    reason: /holds the role c\w+ of an organization that it does not hold/,
  },
  {
    name: 'with names that would write to the terminal',
    edit: withValues('roles', { '\u001b]0;title\u0007\u202e': 1 }),
    reason: /^the file holds roles\.\\u\{1b\}\]0;title\\u\{7\}\\u\{202e\}, which is not known here$/,
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
      // Guards: edited-archives
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

/** The same object with one method replaced. */
const replacing = <T extends object>(whole: T, method: keyof T, replacement: unknown): T =>
  new Proxy(whole, {
    get(target, name) {
      if (name === method) return replacement
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })

/** The longest that a template may be. */
const bodyLength = 50_000
const copies = 10

for (const engine of engines) {
  describe(`long rows of an archive, imported on ${engine}`, () => {
    // Guards: edited-archives
    it('are written before many of them are in memory', async () => {
      const source = await newService('sqlite')
      const { tenantId } = await createWorld(source)
      const archive = await openArchive(await exported(source, tenantId), async () => passphrase)
      const lines: Archive['lines'] = async function* () {
        let made = 0
        for await (const line of archive.lines()) {
          if (line.kind !== 'row' || line.table !== 'templates') {
            yield line
            continue
          }
          const { id, name, created_at: at } = line.row
          for (let copy = 0; copy < copies; copy++) {
            const created_at = String(at).replace(/\d{6}Z$/, `${100_000 + made++}Z`)
            const own = { id: `${String(id)}${copy}`, name: `${String(name)} ${copy}`, created_at }
            yield { ...line, row: { ...line.row, ...own, body: 'x'.repeat(bodyLength) } }
          }
        }
      }
      const { deps } = await newService(engine)
      const written: number[] = []
      const transaction: Database['transaction'] = (body) =>
        deps.db.transaction((tx) => {
          const run: typeof tx.run = (statement) => {
            written.push(statement.values.reduce<number>((sum, value) => sum + String(value).length, 0))
            return tx.run(statement)
          }
          return body(replacing(tx, 'run', run))
        })
      const db = replacing(deps.db, 'transaction', transaction)
      try {
        const { rows } = await importTenant({ ...deps, db }, { ...archive, lines })
        assert.ok((rows['templates'] ?? 0) > 5 * copies)
        const batches = written.filter((length) => length > bodyLength)
        assert.equal(batches.length, Math.ceil((rows['templates'] ?? 0) / Math.floor(1024 ** 2 / bodyLength)))
        assert.ok(Math.max(...written) < 1_100_000)
      } finally {
        await archive.close()
      }
    })
  })
}

describe('the conflicts of an edited archive', () => {
  // Guards: edited-archives
  it('are the first twenty with the number of the others', async () => {
    const source = await newService('sqlite')
    const { tenantId } = await createWorld(source)
    const archive = await openArchive(await exported(source, tenantId), async () => passphrase)
    const lines: Archive['lines'] = async function* () {
      for await (const line of archive.lines()) {
        if (line.kind === 'row' && line.table === 'domains') {
          const { created_at } = line.row
          const row = { ...line.row, verified_at: created_at } as ArchiveRow
          for (let number = 0; number < 1000; number++) yield { ...line, row }
        } else yield line
      }
    }
    const db = { ...source.deps.db, first: async () => ({ tenant_id: 'c123456789', id: tenantId, kind: 'tenant' }) }
    try {
      const trusting = { isTrusted: true }
      const { conflicts } = await inspectArchive({ db: db as unknown as Database }, { ...archive, lines }, trusting)
      assert.equal(conflicts.length, 21)
      assert.match(conflicts[19] ?? '', /^the domain \S+ is verified here by/)
      assert.match(conflicts[20] ?? '', /^and \d{3,4} more$/)
    } finally {
      await archive.close()
    }
  })
})
