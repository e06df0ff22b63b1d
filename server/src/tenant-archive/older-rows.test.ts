// Archives of versions before the columns of today: what migrations have told of the rows here must be told of theirs too.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ExportedUser } from '@bailiwick/contract'
import { exported, newService, passphrase } from '../../test/archives.ts'
import { createUser, unique } from '../../test/factories.ts'
import { Browser } from '../../test/frontend.ts'
import type { TestService } from '../../test/service.ts'
import { tenantWith } from '../../test/signed-in-user.ts'
import { migrations } from '../db/migrations/index.ts'
import { sql } from '../db/sql.ts'
import { importTenant } from './import-tenant.ts'
import { retold } from './older-rows.ts'
import { type Archive, openArchive } from './read-archive.ts'

const before = '0018-kept-images'
/** Migrations that change rows of which no archive has any. */
const ofNothingExported = ['0020-first-factor-time']
const settings = { emailVerificationRequired: false, phoneVerificationRequired: false }

/** The same archive as the version before claims had written it. */
async function* withoutClaims(lines: ReturnType<Archive['lines']>): ReturnType<Archive['lines']> {
  for await (const line of lines) {
    if (line.kind === 'row') {
      const { is_claimed: _later, ...row } = line.row
      yield { ...line, row }
    } else yield line
  }
}

async function importedFromBefore(target: TestService, path: string) {
  const archive = await openArchive(path, async () => passphrase)
  try {
    const header = { ...archive.header, schema: before }
    return await importTenant(target.deps, { ...archive, header, lines: () => withoutClaims(archive.lines()) })
  } finally {
    await archive.close()
  }
}

const claimsOf = async (service: TestService, tenantId: string) =>
  (await service.ok<ExportedUser[]>('exportUsers', { query: { tenantId } })).map(({ id, claimed }) => ({ id, claimed }))

for (const engine of ['sqlite', 'postgresql'] as const) {
  describe(`an archive from before addresses were known to be claimed, imported on ${engine}`, () => {
    it('brings them as claimed: whoever owns one still takes the account over', async () => {
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

/** Of an account of another service that came without a proven address. */
function connection({ deps: { clock } }: TestService, tenantId: string, userId: string) {
  const at = clock.now()
  return sql`INSERT INTO social_connections (tenant_id, id, user_id, provider_key, issuer, subject, email, is_unproven,
      created_at, updated_at)
    VALUES (${tenantId}, ${unique()}, ${userId}, 'github', 'https://github.com', ${unique()}, NULL, 1, ${at}, ${at})`
}

describe('migrations that change rows', () => {
  it('are repeated on the rows of older archives, or change what none has', () => {
    const changing = migrations
      .filter(({ migration }) =>
        migration.sqlite.some((statement) => /^\s*(?:UPDATE|INSERT|DELETE)\b/i.test(statement)),
      )
      .map(({ id }) => id)
    assert.deepEqual(changing, [...retold.keys(), ...ofNothingExported].toSorted())
  })
})
