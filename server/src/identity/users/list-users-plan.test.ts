// How PostgreSQL reads what belongs to the users of a page. It plans with what it knew of a tenant when it last analysed the tables, and the tenant
// may have grown much since then: a plan that reads as many rows as the tenant has got is quick in a small test and slow after an import.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from 'pg'
import { aboutOnePostgresql } from '../../../test/harness/databases/engines.ts'
import { createTenant, createUser } from '../../../test/harness/factories.ts'
import { type PlannedService, startPlannedService } from '../../../test/harness/planned-service.ts'
import type { Statement } from '../../platform/db/sql.ts'

const users = 1000

/** Copies the only row of a tenant, with other values in some columns, which may use the number `n`. */
async function copyRows(client: Client, table: string, tenantId: string, other: Readonly<Record<string, string>>) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => other[name] ?? name).join(', ')}
      FROM ${table} CROSS JOIN generate_series(1, ${users}) AS n WHERE tenant_id = $1`,
    [tenantId],
  )
}

describe('GET /auth/users (postgresql)', aboutOnePostgresql, () => {
  let planned: PlannedService
  let recording: PlannedService['recording']
  let service: PlannedService['service']
  let client: Client

  before(async () => {
    planned = await startPlannedService()
    ;({ client, recording, service } = planned)
  })
  after(() => planned.stop())

  /** Returns the plan that PostgreSQL keeps for all values. */
  async function keptPlan({ postgresqlText, values }: Statement): Promise<string> {
    await client.query(`PREPARE asked AS ${postgresqlText}`)
    try {
      const literals = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(String(value))))
      const execution = literals.length === 0 ? 'asked' : `asked (${literals.join(', ')})`
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${execution}`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    } finally {
      await client.query('DEALLOCATE asked')
    }
  }

  it('looks up the addresses of a hundred users by their ids, instead of reading those of all users', async () => {
    const { tenant } = await createTenant(service)
    await createUser(service, tenant.id, { email: 'ada@acme.example', phone: '+493012345678' })
    const [id, at] = ["'c' || lpad(n::text, 24, '0')", "'2026-01-01T00:00:00.' || lpad(n::text, 6, '0') || 'Z'"]
    await copyRows(client, 'users', tenant.id, {
      id,
      created_at: at,
      primary_email_id: 'NULL',
      primary_phone_id: 'NULL',
      username_key: 'NULL',
      username: 'NULL',
    })
    const contact = { id, created_at: at, user_id: id }
    await copyRows(client, 'email_addresses', tenant.id, {
      ...contact,
      email: 'n || email',
      email_key: 'n || email_key',
    })
    await copyRows(client, 'phone_numbers', tenant.id, { ...contact, phone: 'phone || n' })
    await client.query('ANALYZE')
    await client.query('SET plan_cache_mode = force_generic_plan')
    const statements = await recording.captured(async () => {
      const page = await service.ok<{ data: readonly object[] }>('listUsers', {
        query: { tenantId: tenant.id, perPage: '100' },
      })
      assert.equal(page.data.length, 100)
    })
    const plans: string[] = []
    for (const statement of statements) plans.push(await keptPlan(statement))
    for (const table of ['email_addresses', 'phone_numbers']) {
      const plan = plans.find((each) => each.includes(` on ${table} `)) ?? ''
      assert.match(plan, /Index Cond: .*user_id = ANY/, `${table}: ${plan}`)
    }
  })
})
