// Archives of earlier versions lack columns of today: what migrations have derived for the rows here must be derived for theirs too.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExportedUser, Role } from '@bailiwick/contract'
import { exported, newService, passphrase } from '../../../test/harness/files/archives.ts'
import { newEmptyPostgresqlDatabase, newSqliteFile, engines } from '../../../test/harness/databases/databases.ts'
import { createTenant, createUser, unique } from '../../../test/harness/factories.ts'
import { Browser } from '../../../test/harness/browser/frontend.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { migrations } from '../../platform/db/migrations/index.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import { importTenant } from './import-tenant.ts'
import { retold } from './older-rows.ts'
import { type Archive, openArchive } from './read-archive.ts'

const before = '0018-kept-images'
/** Migrations that change only rows that no archive contains. */
const ofNothingExported = ['0020-first-factor-time']
/** Migrations that add a column which an import fills for every archive. */
const filledByImport = ['0025-password-draws']
const settings = { emailVerificationRequired: false, phoneVerificationRequired: false }

/** The same archive as a version would have written it that did not know claims. */
async function* withoutClaims(lines: ReturnType<Archive['lines']>): ReturnType<Archive['lines']> {
  for await (const line of lines) {
    if (line.kind === 'row') {
      const { is_claimed: _later, ...row } = line.row
      yield { ...line, row }
    } else yield line
  }
}

type Rewriting = (lines: ReturnType<Archive['lines']>) => ReturnType<Archive['lines']>

async function importedFromBefore(target: TestService, path: string, rewritten: Rewriting = withoutClaims) {
  const archive = await openArchive(path, async () => passphrase)
  try {
    const header = { ...archive.header, schema: before }
    return await importTenant(target.deps, { ...archive, header, lines: () => rewritten(archive.lines()) })
  } finally {
    await archive.close()
  }
}

const claimsOf = async (service: TestService, tenantId: string) =>
  (await service.ok<ExportedUser[]>('exportUsers', { query: { tenantId } })).map(({ id, claimed }) => ({ id, claimed }))

for (const engine of engines) {
  describe(`an archive from before addresses were known to be claimed, imported on ${engine}`, () => {
    it('imports them as claimed: their owner can still take the account over', async () => {
      const source = await newService('sqlite')
      const tenant = await tenantWith(source, settings)
      const contacts = { email: `${unique()}@example.com`, phone: '+4915112345678' }
      const body = { ...contacts, password: 'correct horse battery staple' }
      await new Browser(source, tenant.publicKey).ok('createSignUp', { body })
      const connected = await createUser(source, tenant.id)
      const verified = await createUser(source, tenant.id)
      const told = await createUser(source, tenant.id)
      await source.ok('verifyEmailAddress', { body: { id: verified.primaryEmailId ?? '' } })
      await source.deps.db.write(() => [connection(source, tenant.id, connected.id)])
      await source.deps.db.write(() => [connection(source, tenant.id, verified.id)])
      await source.deps.db.write(() => [
        sql`UPDATE email_addresses SET is_claimed = 1 WHERE tenant_id = ${tenant.id} AND user_id = ${connected.id}`,
      ])
      const claims = await claimsOf(source, tenant.id)
      const claimedOf = (userId: string) => claims.find(({ id }) => id === userId)?.claimed
      assert.deepEqual(
        [claims.at(-1)?.claimed.length, claimedOf(connected.id)?.length, claimedOf(verified.id), claimedOf(told.id)],
        [2, 1, [], []],
      )
      const target = await newService(engine)
      assert.deepEqual((await importedFromBefore(target, await exported(source, tenant.id))).conflicts, [])
      assert.deepEqual(await claimsOf(target, tenant.id), claims)
    })
  })
}

/** The same archive without the numbers by which passwords are drawn. */
async function* withoutDraws(lines: ReturnType<Archive['lines']>): ReturnType<Archive['lines']> {
  for await (const line of lines) {
    if (line.kind === 'row' && line.table === 'passwords') {
      const { draw: _later, ...row } = line.row
      yield { ...line, row }
    } else yield line
  }
}

for (const engine of engines) {
  describe(`an archive from before passwords could be drawn, imported on ${engine}`, () => {
    it('imports each with a number of its own, so that none is more likely than another', async () => {
      const source = await newService('sqlite')
      const tenant = await tenantWith(source, settings)
      for (let n = 0; n < 3; n++) await createUser(source, tenant.id, { password: 'correct horse battery staple' })
      const target = await newService(engine)
      await importedFromBefore(target, await exported(source, tenant.id), withoutDraws)
      const rows = await target.deps.db.all<{ draw: number }>(
        sql`SELECT draw FROM passwords WHERE tenant_id = ${tenant.id}`,
      )
      assert.equal(new Set(rows.map(({ draw }) => draw)).size, 3)
    })
  })
}

const oldAdmin = ['org:manage', 'org:delete', 'org:members:manage', 'org:invitations:manage', 'org:domains:manage']
const newAdmin = ['org:read', ...oldAdmin]

/** The same archive with the permissions that the default role `admin` had at first. */
async function* withOldAdmin(lines: ReturnType<Archive['lines']>): ReturnType<Archive['lines']> {
  for await (const line of lines) {
    const isAdmin = line.kind === 'row' && line.table === 'roles' && line.row['name_key'] === 'admin'
    yield isAdmin ? { ...line, row: { ...line.row, permissions: JSON.stringify(oldAdmin) } } : line
  }
}

const rolesOf = async (service: TestService, tenantId: string) => {
  const { data } = await service.ok<{ data: Role[] }>('listRoles', { params: { tenantId } })
  return Object.fromEntries(data.map(({ name, permissions }) => [name, permissions]))
}

for (const engine of engines) {
  describe(`an archive from before the default role admin could give the role member, imported on ${engine}`, () => {
    it('imports the role with the permission that it lacked, unless the tenant has changed its roles', async () => {
      const source = await newService('sqlite')
      const unchanged = await createTenant(source)
      const changed = await createTenant(source)
      const roles = await source.ok<{ data: Role[] }>('listRoles', { params: { tenantId: changed.tenant.id } })
      const member = roles.data.find(({ name }) => name === 'member')
      await source.ok('updateRole', { params: { id: member?.id ?? '' }, body: { permissions: ['org:read', 'x'] } })
      const target = await newService(engine)
      for (const { tenant } of [unchanged, changed])
        await importedFromBefore(target, await exported(source, tenant.id), withOldAdmin)
      assert.deepEqual(await rolesOf(target, unchanged.tenant.id), { admin: newAdmin, member: ['org:read'] })
      assert.deepEqual(await rolesOf(target, changed.tenant.id), { admin: oldAdmin, member: ['org:read', 'x'] })
    })
  })

  describe(`a database from before the default role admin could give the role member (${engine})`, () => {
    it('is migrated so that it can, if both roles are unchanged', async () => {
      const { options, remove } = engine === 'sqlite' ? newSqliteFile() : await newEmptyPostgresqlDatabase()
      try {
        const old = await openDatabase(
          options,
          migrations.filter(({ id }) => id < '0024'),
        )
        await old.migrate()
        const tenantIds = ['unchanged', 'changed', 'without']
        for (const [index, id] of tenantIds.entries()) await old.write(() => oldTenant(id, index))
        await old.write(() => [sql`UPDATE roles SET permissions = '["a"]' WHERE id = 'changed-admin'`])
        await old.write(() => [sql`DELETE FROM roles WHERE id = 'without-member'`])
        await old.close()
        const db = await openDatabase(options)
        await db.migrate()
        const rows = await db.all<{ id: string; permissions: string }>(
          sql`SELECT id, permissions FROM roles WHERE name_key = 'admin' ORDER BY id LIMIT 9`,
        )
        await db.close()
        assert.deepEqual(
          rows.map(({ id, permissions }) => [id, JSON.parse(permissions)]),
          [
            ['changed-admin', ['a']],
            ['unchanged-admin', newAdmin],
            ['without-admin', oldAdmin],
          ],
        )
      } finally {
        await remove()
      }
    })
  })
}

function oldTenant(id: string, index: number) {
  const [first, second] = ['2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000002Z']
  const role = (name: string, permissions: readonly string[], at: string) => sql`INSERT INTO roles
    (tenant_id, id, name, name_key, permissions, created_at, updated_at)
    VALUES (${id}, ${`${id}-${name}`}, ${name}, ${name}, ${JSON.stringify(permissions)}, ${at}, ${at})`
  return [
    sql`INSERT INTO tenants (id, kind, name, name_key, slug, slug_key, public_key, environment, brand, auth_id,
        auth_version, created_at, updated_at)
      VALUES (${id}, 'tenant', ${id}, ${id}, ${id}, ${id}, ${id}, 'development', '{}', ${id}, 1,
        ${`2026-01-01T00:00:0${index}.000000Z`}, ${first})`,
    role('admin', oldAdmin, first),
    role('member', ['org:read'], second),
  ]
}

/** Of an account of another service that came without a proven address. */
function connection({ deps: { clock } }: TestService, tenantId: string, userId: string) {
  const at = clock.now()
  return sql`INSERT INTO social_connections (tenant_id, id, user_id, provider_key, issuer, subject, email, is_unproven,
      created_at, updated_at)
    VALUES (${tenantId}, ${unique()}, ${userId}, 'github', 'https://github.com', ${unique()}, NULL, 1, ${at}, ${at})`
}

describe('migrations that change rows', () => {
  it('are repeated on the rows of older archives, or change only rows that no archive contains', () => {
    const changing = migrations
      .filter(({ migration }) =>
        migration.sqlite.some((statement) => /^\s*(?:UPDATE|INSERT|DELETE)\b/i.test(statement)),
      )
      .map(({ id }) => id)
    assert.deepEqual(changing, [...retold.keys(), ...ofNothingExported, ...filledByImport].toSorted())
  })
})
