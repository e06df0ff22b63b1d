// A tenant leaves one deployment and continues in another, of either engine, under another master key.
import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { OrganizationRole } from '@bailiwick/contract'
import { engines, isOnCitus } from '../../../test/harness/databases/databases.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { assertLeavesNothing, dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { exported, imported, inspected, newService, passphrase } from '../../../test/harness/files/archives.ts'
import type { TestService } from '../../../test/harness/service.ts'
import { type World, createWorld } from '../../../test/matrix/world.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { findWrongCounters } from '../tenant-tables/real-counts.ts'
import { isSealed } from '../tenant-tables/sealed-rows.ts'
import { tenantTables } from '../tenant-tables/tenant-tables.ts'
import { ArchiveError } from './archive-error.ts'
import { importTenant } from './import-tenant.ts'
import { openArchive } from './read-archive.ts'

type Row = Record<string, unknown>
/** How many of the exported tables the test fills. */
const filledMin = 17
const bcryptHash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

/** Each exported row, with its secrets opened. */
async function contentsOf({ deps: { db, sealer } }: TestService, tenantId: string): Promise<Row[]> {
  const all: Row[] = await db.all<Row>(sql`SELECT * FROM tenants WHERE id = ${tenantId} LIMIT 1`)
  let filled = 0
  for (const table of tenantTables.filter(({ options }) => options.notExported === undefined)) {
    const rows = await db.all<Row>(
      sql`SELECT * FROM ${sql.identifier(table.name)} WHERE tenant_id = ${tenantId} LIMIT 1000`,
    )
    if (rows.length > 0) filled++
    for (const row of rows.filter((each) => table.options.isExported?.(each) !== false)) {
      for (const { column, boundTo } of table.sealed) {
        const text = row[column]
        if (isSealed(text)) row[column] = `opened ${sealer.open(text, boundTo(row))}`
      }
      delete row['personal_salt']
      // Terms are stored again beside the requests.
      delete row['search_terms']
      all.push({ table: table.name, ...row })
    }
  }
  assert.ok(filled >= filledMin, `the test has rows of only ${filled} tables`)
  return all.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

const counterSums = (db: Database, tenantId: string) =>
  db.all<{ name: string; value: number }>(sql`SELECT name, CAST(SUM(value) AS BIGINT) AS value FROM counters
    WHERE tenant_id = ${tenantId} AND name LIKE '%:____-__-__' GROUP BY name ORDER BY name LIMIT 1000`)

for (const from of engines) {
  describe(`a tenant exported from ${from}`, () => {
    let source: TestService
    let world: World
    let path: string

    before(async () => {
      source = await newService(from)
      world = await createWorld(source)
      const lines = [
        { email: 'brought@along.example', passwordHash: { algorithm: 'bcrypt', hash: bcryptHash } },
        { email: 'foreign@along.example', passwordHash: { algorithm: 'foreign', hash: 'sha1:of-old' } },
      ]
      const query = { tenantId: world.tenantId }
      await source.ok('importUsers', { query, body: lines })
      const { organizationId, ownRoleId: roleId } = world
      await source.ok('updateOrganizationMember', { params: { id: world.organizationMemberId }, body: { roleId } })
      await source.ok('createOrganizationInvitation', {
        body: { organizationId, roleId, email: 'invited@along.example' },
      })
      await source.ok('updateOrganizationGroup', { params: { organizationId, id: world.groupId }, body: { roleId } })
      path = await exported(source, world.tenantId)
    })

    for (const to of engines) {
      it(`continues in ${to} with the same ids, secrets and counts, and its keys work there`, async () => {
        const target = await newService(to)
        await assertLeavesNothing(target.deps.db, async () => {
          assert.deepEqual((await inspected(target, path)).conflicts, [])
        })
        assert.deepEqual((await imported(target, path, { trustDomains: true })).conflicts, [])
        assert.deepEqual(await contentsOf(target, world.tenantId), await contentsOf(source, world.tenantId))
        for (const { deps } of [source, target]) assert.deepEqual(await findWrongCounters(deps.db, world.tenantId), [])
        assert.deepEqual(
          await counterSums(target.deps.db, world.tenantId),
          await counterSums(source.deps.db, world.tenantId),
        )

        const found = await target.ok('getTenantByPublicKey', { params: { publicKey: world.publicKey } })
        assert.equal(found['id'], world.tenantId)
        const user = await target.ok('getUser', { params: { id: world.userId }, token: world.secretKey })
        assert.deepEqual(user, await source.ok('getUser', { params: { id: world.userId } }))
        await target.ok('updateUser', { params: { id: world.userId }, body: { name: 'New Name' } })

        const ownRole = { params: { organizationId: world.organizationId, id: world.ownRoleId } }
        const role = await target.ok<OrganizationRole>('getOrganizationRole', ownRole)
        assert.equal(role._count.members, 1)
        assert.deepEqual(role, await source.ok('getOrganizationRole', ownRole))
        await target.refused('deleteOrganizationRole', 'role_in_use', ownRole)
        await target.ok('deleteOrganization', { params: { id: world.organizationId } })
        await target.refused('getOrganizationRole', 'not_found', ownRole)
        const types = (await storedEvents(target, world.tenantId)).map(({ type }) => type)
        assert.deepEqual(types, ['tenant.imported', 'user.updated', 'organization.deleted'])
      })
    }

    it('contains every recovery code, also of a user whose rows are divided between two batches', async () => {
      const { tenantId, userId } = await createWorld(source)
      const codes = Array.from({ length: 601 }, (_, index) => `hash ${index}`)
      const at = source.deps.clock.now()
      await source.deps.db.write(() => [
        sql`INSERT INTO recovery_codes (tenant_id, user_id, code_hash, created_at)
          ${sql.values(codes.map((code) => [tenantId, userId, code, at]))}`,
      ])
      const target = await newService('sqlite')
      const { rows } = await imported(target, await exported(source, tenantId))
      assert.equal(rows['recovery_codes'], codes.length)
    })

    it('is in a file that only its owner can read, with nothing in the clear', () => {
      assert.equal(statSync(path).mode & 0o777, 0o600)
      const text = readFileSync(path, 'latin1').split('\n').slice(1).join('\n')
      for (const word of [world.slug, world.secretKey, '@along.example', 'argon2']) {
        assert.ok(!text.includes(word), `${word} stands in the file`)
      }
    })

    it('is not imported over an existing one: every conflict is named and nothing is written', async () => {
      await assertLeavesNothing(source.deps.db, async () => {
        const { conflicts } = await imported(source, path)
        assert.equal(conflicts.length, 3)
        for (const what of ['id', 'slug', 'public key'])
          assert.ok(conflicts.some((each) => each.includes(`same ${what}`)))
      })
    })

    it('is refused, before anything is written, if its file was changed anywhere', async () => {
      const target = await newService('sqlite')
      const bytes = readFileSync(path)
      const damaged = `${path}.damaged`
      await assertLeavesNothing(target.deps.db, async () => {
        for (const at of [5, 40, bytes.indexOf(10) + 10, Math.floor(bytes.length / 2), bytes.length - 1]) {
          const changed = Buffer.from(bytes)
          changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
          writeFileSync(damaged, changed)
          await assert.rejects(imported(target, damaged), ArchiveError)
        }
        writeFileSync(damaged, bytes.subarray(0, -100))
        await assert.rejects(imported(target, damaged), ArchiveError)
      })
    })
  })
}

for (const engine of engines) {
  describe(`an import on ${engine} that cannot be finished`, () => {
    let target: TestService
    let world: World
    let path: string

    before(async () => {
      const source = await newService('sqlite')
      world = await createWorld(source)
      path = await exported(source, world.tenantId)
      target = await newService(engine)
    })

    const isAccepted = isOnCitus && 'on Citus the hashes of tokens are unique within their tenant only'
    it('leaves nothing behind if it is refused half-way', { skip: isAccepted }, async () => {
      const { db } = target.deps
      const other = await createWorld(target)
      // Unique across all tenants and written after the users, so the import meets it in the middle.
      const [invitation] = await db.all<{ id: string }>(
        sql`SELECT id FROM organization_invitations WHERE tenant_id = ${other.tenantId} LIMIT 1`,
      )
      const [taken] = await newestTokenHash(path)
      await db.write(() => [
        sql`UPDATE organization_invitations SET token_hash = ${taken ?? ''} WHERE id = ${invitation?.id ?? ''}`,
      ])
      const held = await dumpTables(db)
      await assert.rejects(imported(target, path), /must be unique \(organization_invitations_token_key\)/)
      const { sqlite_sequence: _sequence, ...now } = await dumpTables(db)
      const { sqlite_sequence: _before, ...then } = held
      assert.deepEqual(now, then)
      await db.write(() => [
        sql`UPDATE organization_invitations SET token_hash = 'x' WHERE id = ${invitation?.id ?? ''}`,
      ])
    })

    it('does not touch what another import has begun at the same moment', async () => {
      const { db } = target.deps
      const archive = await openArchive(path, async () => passphrase)
      try {
        let passes = 0
        const lines: typeof archive.lines = async function* () {
          // The first pass looks for conflicts; the other import begins before the second.
          if (++passes === 2) await insertImporting(db, target.deps.clock.now(), world.tenantId)
          yield* archive.lines()
        }
        await assert.rejects(importTenant(target.deps, { ...archive, lines }), /must be unique/)
        const left = await db.all(
          sql`SELECT id FROM tenants WHERE id = ${world.tenantId} AND kind = 'importing' LIMIT 1`,
        )
        assert.equal(left.length, 1)
      } finally {
        await archive.close()
        await db.write(() => [sql`DELETE FROM tenants WHERE id = ${world.tenantId}`])
      }
    })

    it('is invisible while it runs, cannot be restored, and is replaced by the next one if it was killed', async () => {
      const { db } = target.deps
      await insertImporting(db, target.deps.clock.now(), world.tenantId)
      await target.refused('getTenant', 'not_found', { params: { id: world.tenantId } })
      await target.refused('restoreTenant', 'not_found', { params: { id: world.tenantId } })
      const longAgo = '2020-01-01T00:00:00.000000Z'
      await db.write(() => [sql`UPDATE tenants SET deleted_at = ${longAgo} WHERE id = ${world.tenantId}`])
      assert.deepEqual((await imported(target, path)).conflicts, [])
      assert.equal((await target.ok('getTenant', { params: { id: world.tenantId } }))['slug'], world.slug)
    })
  })
}

/** The row with which an import begins. */
async function insertImporting(db: Database, at: string, tenantId: string) {
  const source = await newService('sqlite')
  const [row] = await source.deps.db.all<Record<string, string>>(sql`SELECT * FROM tenants LIMIT 1`)
  assert.ok(row !== undefined)
  const hidden = { ...row, id: tenantId, kind: 'importing', slug: 'half', slug_key: 'half', deleted_at: at }
  const columns = sql.join(
    Object.keys(hidden).map((name) => sql.identifier(name)),
    ', ',
  )
  await db.write(() => [sql`INSERT INTO tenants (${columns}) ${sql.values([Object.values(hidden)])}`])
}

/** A token hash of the file's invitations; the test does not count hashes as secrets. */
async function newestTokenHash(path: string): Promise<string[]> {
  const reader = await newService('sqlite')
  await imported(reader, path)
  const rows = await reader.deps.db.all<{ token_hash: string }>(
    sql`SELECT token_hash FROM organization_invitations LIMIT 1`,
  )
  return rows.map((row) => row.token_hash)
}
