import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { isOnCitus, newPostgresqlDatabase } from '../../../test/harness/databases/databases.ts'
import { type TestTenant, createTenant, unique } from '../../../test/harness/factories.ts'
import { type TestService, startTestService } from '../../../test/harness/service.ts'
import { createSessionDirectory } from '../../identity/sessions/session-directory.ts'
import { createTenantDirectory } from '../../tenancy/directory/tenant-directory.ts'
import type { TenantDirectory, TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { createClock } from '../clock.ts'
import { type OpenDatabase, openDatabase } from '../db/open.ts'
import { followInvalidations } from './invalidation-feed.ts'

const waitMsMax = 60_000
const silent = pino({ level: 'silent' })

describe('the feed of invalidations (postgresql)', () => {
  let url: string
  let service: TestService
  let database: OpenDatabase
  let outside: Client
  const ends: (() => Promise<unknown>)[] = []
  before(async () => {
    const { options, remove } = await newPostgresqlDatabase()
    url = options.directUrl ?? options.url
    database = await openDatabase(options)
    service = await startTestService(database)
    outside = new Client(url)
    await outside.connect()
    ends.push(
      () => outside.end(),
      () => service.app.close(),
      () => database.close(),
      remove,
    )
  })
  after(async () => {
    for (const end of ends) await end()
  })

  /** Another node's memory, which follows the feed over connections of its own until the suite ends. */
  async function startNode() {
    const db = await openDatabase({ kind: 'postgresql', url, poolSize: 2 })
    const tenants = createTenantDirectory(db, createClock())
    const sessions = createSessionDirectory(db, tenants, createClock(), silent)
    const stop = await followInvalidations(db, { tenants, sessions }, silent)
    ends.unshift(stop, () => db.close())
    return tenants
  }

  const slugIn = async (tenants: TenantDirectory, { tenant }: TestTenant) => (await tenants.byId(tenant.id))?.row.slug

  async function until(what: string, isSo: () => Promise<boolean>) {
    const deadline = Date.now() + waitMsMax
    while (!(await isSo())) {
      if (Date.now() > deadline) assert.fail(`waited in vain until ${what}`)
      await sleep(10)
    }
  }

  /** Changes a tenant as another node does, without a NOTIFY. */
  async function changeQuietly({ tenant }: TestTenant, slug: string) {
    await outside.query('UPDATE tenants SET slug = $2, slug_key = $2 WHERE id = $1', [tenant.id, slug])
    await outside.query('INSERT INTO cache_invalidations (tenant_id) VALUES ($1)', [tenant.id])
  }

  it('delivers invalidations by the poll when no NOTIFY arrives', async () => {
    const known = await createTenant(service)
    const tenants = await startNode()
    assert.equal(await slugIn(tenants, known), known.tenant.slug)
    await changeQuietly(known, 'found-by-poll')
    await until('the poll has found the change', async () => (await slugIn(tenants, known)) === 'found-by-poll')
  })

  const isSerial = isOnCitus && 'Citus lets one transaction at a time change the tenants'
  it(
    'delivers an invalidation whose transaction began before polls that saw later ones',
    { skip: isSerial },
    async () => {
      const late = await createTenant(service)
      const early = await createTenant(service)
      const tenants = await startNode()
      await slugIn(tenants, late)
      await slugIn(tenants, early)
      await outside.query('BEGIN')
      await changeQuietly(late, 'committed-late')

      const second = new Client(url)
      await second.connect()
      for (const slug of ['first-in-between', 'second-in-between']) {
        await second.query('UPDATE tenants SET slug = $2, slug_key = $2 WHERE id = $1', [early.tenant.id, slug])
        await second.query('INSERT INTO cache_invalidations (tenant_id) VALUES ($1)', [early.tenant.id])
        await until('a poll has seen the later transaction', async () => (await slugIn(tenants, early)) === slug)
      }
      await second.end()
      assert.equal(await slugIn(tenants, late), late.tenant.slug)

      await outside.query('COMMIT')
      await until('the late change is known', async () => (await slugIn(tenants, late)) === 'committed-late')
    },
  )

  it('makes a new domain known to a node that did not find it before', async () => {
    const { tenant } = await createTenant(service)
    const tenants = await startNode()
    const { id, name } = await service.ok<{ id: string; name: string }>('createDomain', {
      body: { tenantId: tenant.id, name: `${unique()}.example` },
    })
    assert.equal(await tenants.byDomainKey(name), undefined)
    await outside.query('UPDATE domains SET verified_at = created_at WHERE id = $1', [id])
    await outside.query('INSERT INTO cache_invalidations (tenant_id) VALUES ($1)', [tenant.id])
    await until('its tenant is found', async () => (await tenants.byDomainKey(name))?.row.id === tenant.id)
  })

  it('leaves unchanged tenants in memory', async () => {
    const changed = await createTenant(service)
    const untouched = await createTenant(service)
    const tenants = await startNode()
    await slugIn(tenants, changed)
    const kept: TenantEntry | undefined = await tenants.byId(untouched.tenant.id)
    await changeQuietly(changed, 'somebody-elses')
    await until('the change is known', async () => (await slugIn(tenants, changed)) === 'somebody-elses')
    assert.equal(await tenants.byId(untouched.tenant.id), kept)
  })

  it('drops all memory while it cannot be followed, because memory may be out of date', async () => {
    const known = await createTenant(service)
    const tenants = await startNode()
    await slugIn(tenants, known)
    await outside.query('ALTER TABLE cache_invalidations RENAME TO elsewhere')
    try {
      await outside.query('UPDATE tenants SET slug = $2, slug_key = $2 WHERE id = $1', [known.tenant.id, 'unannounced'])
      await until('memory is not used', async () => (await slugIn(tenants, known)) === 'unannounced')
    } finally {
      await outside.query('ALTER TABLE elsewhere RENAME TO cache_invalidations')
    }
    await changeQuietly(known, 'announced-again')
    await until('it is followed again', async () => (await slugIn(tenants, known)) === 'announced-again')
  })

  it('forgets a tenant in the node that changed it as soon as the change is answered', async () => {
    const { tenant } = await createTenant(service)
    const brand = { primary: 'navy' }
    await service.ok('putTenantBrand', { params: { id: tenant.id }, body: brand })
    assert.deepEqual(await service.ok('getTenantBrand', { params: { id: tenant.id } }), brand)
  })
})
