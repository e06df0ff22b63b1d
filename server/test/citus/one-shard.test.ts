// On a sharded database, what a request of one tenant reads and writes is on one shard. Citus says of each statement how many it asks.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { findMembershipOf } from '../../src/identity/organizations/membership-of.ts'
import { selectReceivedInvitations } from '../../src/identity/organizations/queries.ts'
import { fromMs } from '../../src/platform/clock.ts'
import { type OpenDatabase, openDatabase } from '../../src/platform/db/open.ts'
import { type Statement, sql } from '../../src/platform/db/sql.ts'
import { removeOldEvents } from '../../src/platform/events/remove-events.ts'
import type { TenantId, UserId } from '../../src/platform/ids.ts'
import { newPostgresqlDatabase } from '../harness/databases/databases.ts'
import { fanOutEverything, sealEverything } from '../harness/databases/event-log.ts'
import { recordStatements } from '../harness/databases/recorded-statements.ts'
import { createOrganization, createTenant, createUser } from '../harness/factories.ts'
import { type Person, signedInPerson } from '../harness/people/people.ts'
import { type TestService, startTestService } from '../harness/service.ts'

describe('a request of one tenant, on Citus', () => {
  let database: OpenDatabase
  let recording: ReturnType<typeof recordStatements>
  let service: TestService
  let client: Client
  let remove: () => Promise<void>
  let tenantId: string
  let publicKey: string
  let ofTenant: { readonly token: string }
  let userId: string
  let person: Person

  before(async () => {
    const created = await newPostgresqlDatabase()
    remove = created.remove
    database = await openDatabase(created.options)
    recording = recordStatements(database)
    service = await startTestService(recording.database)
    client = new Client(created.options.url)
    await client.connect()
    const { tenant, secretKey } = await createTenant(service)
    tenantId = tenant.id
    publicKey = tenant.publicKey
    ofTenant = { token: secretKey }
    person = await signedInPerson(service, tenant)
    userId = person.user.id
    await sealEverything(service.deps)
    await fanOutEverything(service.deps)
  })
  after(async () => {
    await client.end()
    await service.app.close()
    await database.close()
    await remove()
  })

  /** Returns how many shards a statement asks; 0 for one that is answered by what each server has. */
  async function countShards({ postgresqlText, values }: Statement): Promise<number> {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN (COSTS OFF) ${postgresqlText}`,
      values: values as unknown[],
    })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    return [...plan.matchAll(/Task Count: (\d+)/g)].reduce((most, [, tasks]) => Math.max(most, Number(tasks)), 0)
  }

  async function assertOneShard(run: () => Promise<unknown>) {
    const statements = await recording.captured(run)
    assert.ok(statements.length > 0, 'it has asked the database nothing')
    for (const statement of statements) {
      if (/^\s*SELECT pg_notify/.test(statement.postgresqlText)) continue
      assert.ok((await countShards(statement)) <= 1, `asks several shards: ${statement.postgresqlText}`)
    }
  }

  it('is told apart from one that names no tenant', async () => {
    assert.ok((await countShards(sql`SELECT id FROM users WHERE id = ${userId} LIMIT 1`)) > 1)
  })

  const requests: Readonly<Record<string, () => Promise<unknown>>> = {
    'creates a user': () => createUser(service, tenantId),
    'lists users': () => service.ok('listUsers', { query: { tenantId } }),
    'searches users': async () => {
      await service.ok('listUsers', { query: { tenantId, query: 'ada' } })
      // A word finds a few, who are read and judged by the other one.
      await createUser(service, tenantId, { name: 'Ada Lovelace' })
      await service.ok('listUsers', { query: { tenantId, query: 'ada lovelace' } })
    },
    'reads and changes a user by its id': async () => {
      await service.ok('getUser', { params: { id: userId }, ...ofTenant })
      await service.ok('updateUser', { params: { id: userId }, body: { name: 'Ada' }, ...ofTenant })
    },
    'is looked up by its public key and its secret key': async () => {
      service.deps.tenants.clear()
      await service.ok('listUsers', { query: { tenantId }, ...ofTenant })
      service.deps.tenants.clear()
      await service.deps.tenants.byPublicKey(publicKey)
    },
    'creates an organization, and lists organizations': async () => {
      await createOrganization(service, tenantId)
      await service.ok('listOrganizations', { params: { tenantId } })
    },
    'lists the administrators of the tenant': () => service.ok('listTenantMembers', { params: { tenantId } }),
    'finds a member of an organization, and invitations to one': async () => {
      const organization = await createOrganization(service, tenantId)
      await findMembershipOf(service.deps, tenantId as TenantId, organization.id, userId as UserId)
      const { db, clock } = service.deps
      await selectReceivedInvitations(db, tenantId as TenantId, userId as UserId, clock.now(), 10)
    },
    'lists events': () => service.ok('listEvents', { params: { tenantId } }),
    'has its old events removed': async () => {
      const removal = {
        tenantId: tenantId as TenantId,
        before: fromMs(Date.now() + 1000),
        days: 30,
        findNeeded: async () => undefined,
      }
      assert.ok((await removeOldEvents(service.deps, removal)) > 0)
    },
    'signs a user in and out, with a session that is looked up, and in again on the same device': async () => {
      const browser = person.elsewhere()
      await person.begin(browser)
      service.deps.sessions.clear()
      await browser.ok('listOwnSessions')
      await browser.ok('endOwnSessions')
      await person.begin(browser)
    },
  }
  for (const [title, run] of Object.entries(requests)) it(title, () => assertOneShard(run))
})
