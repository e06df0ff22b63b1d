// Whoever has the passphrase of an archive can write one. Nothing that it says may be believed that the interface would have refused, and
// what refers to the world outside of the tenant is decided by the deployment that imports it.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { keyIdOfPublicKey } from '../../src/platform/crypto/signing-keys.ts'
import { isArgued } from '../../src/platform/db/accepted.ts'
import { type SqlValue, sql } from '../../src/platform/db/sql.ts'
import type { TableFacts } from '../../src/platform/db/table.ts'
import { ArchiveError } from '../../src/service/tenant-archive/archive-error.ts'
import type { ArchiveRow } from '../../src/service/tenant-archive/archive-lines.ts'
import { tenantTables } from '../../src/service/tenant-tables/tenant-tables.ts'
import { tenants } from '../../src/tenancy/tenants/tables.ts'
import { engines } from '../harness/databases/databases.ts'
import { type ArchivedLine, exported, importedAs, newService, opened } from '../harness/files/archives.ts'
import { tenantWith } from '../harness/people/signed-in-user.ts'
import type { TestService } from '../harness/service.ts'
import { createWorld } from '../matrix/world.ts'

/** Sets values in the first row of a table. */
function forged(table: string, values: Readonly<Record<string, SqlValue>>): (line: ArchivedLine) => ArchivedLine {
  return (line) => {
    if (line.kind !== 'row' || line.table !== table) return line
    const changed: ArchiveRow = { ...line.row, ...values }
    return { ...line, row: changed }
  }
}

const otherPublic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()
const script = 'javascript:alert(1)'
const json = JSON.stringify

const forgeries: readonly (readonly [table: string, values: Readonly<Record<string, SqlValue>>, rule: RegExp])[] = [
  ['tenants', { slug: '../../console', slug_key: '../../console' }, /must be 4 to 32 letters/],
  ['tenants', { slug: 'cmibzl4aq0000qwertyuiopas', slug_key: 'cmibzl4aq0000qwertyuiopas' }, /not look like an id/],
  ['tenants', { slug_key: 'another' }, /must follow from slug/],
  ['tenants', { public_key: 'pk_"><script>' }, /must be a public key/],
  ['tenants', { brand: json({ primary: 'red;}body{display:none' }) }, /\/primary/],
  ['secret_keys', { hash: 'a'.repeat(64) }, /must be the hash of the key/],
  ['auth_configurations', { document: json({ signInUri: script }) }, /\/signInUri .*https/],
  ['auth_configurations', { document: json({ redirectUris: [script] }) }, /\/redirectUris\/0/],
  ['brand_versions', { document: json({ primary: 'url(https://evil.example)' }) }, /\/primary/],
  ['domains', { name: 'evil.example/..', name_key: 'evil.example/..' }, /must be a host name/],
  ['roles', { permissions: json(['*"><script>']) }, /\/0/],
  ['api_keys', { scopes: json(['everything']) }, /\/0 .*must be one of/],
  ['social_providers', { redirect_uri: script }, /https/],
  ['custom_providers', { issuer: 'http://169.254.169.254/latest' }, /https/],
  ['custom_providers', { provider_key: 'google' }, /must match/],
  ['signing_keys', { public_pem: otherPublic, kid: keyIdOfPublicKey(otherPublic) }, /must be a pair of keys for ES256/],
  ['channels', { settings: json({ host: '127.0.0.1/..' }) }, /must be the settings of the channel's provider/],
  ['templates', { body: 'x'.repeat(50_001) }, /at most 50000 characters/],
  ['webhooks', { url: 'file:///etc/passwd' }, /http or https/],
  ['webhooks', { url: `https://a.example/${'a'.repeat(2048)}` }, /at most 2048 characters/],
  ['media_files', { mime: 'text/html' }, /must be one of image\/jpeg/],
  ['media_files', { mime: 'image/gif' }, /no image of the type/],
  ['media_files', { path: '../../console/index.html' }, /must be/],
  ['transformations', { steps: json([{ type: 'layer', options: { url: 'file:///etc/passwd' } }]) }, /\/0\/options/],
  ['transformations', { output_width: 1e9 }, /at most 8192/],
  ['users', { image_uri: script }, /https/],
  ['users', { status: 'administrator' }, /must be one of/],
  ['users', { name_key: 'somebody else' }, /must follow from name/],
  ['users', { timezone: '../../etc/passwd' }, /time zone/],
  ['email_addresses', { email: 'a@b.example, c@d.example', email_key: 'c@d.example' }, /must be an e-mail address/],
  ['email_addresses', { email_key: 'owner@other.example' }, /must follow from email/],
  ['phone_numbers', { phone: '0900' }, /must be a phone number/],
  ['organizations', { image_uri: script }, /https/],
  ['organizations', { slug: '../x', slug_key: '../x' }, /must be 4 to 32 letters/],
  ['organization_domains', { name: 'Ünï.example' }, /must be the domain of e-mail addresses/],
  ['organization_invitations', { email: 'a@b.example\r\nBcc: c@d.example' }, /must be an e-mail address/],
  ['applications', { redirect_uris: json([script]) }, /\/0/],
  ['applications', { client_id: 'https://other.example/client.json' }, /must be the id of the record/],
  ['applications', { policy_uri: script }, /https/],
  ['resources', { indicator: script }, /must be/],
  ['oauth_settings', { access_token_ttl: 1e9 }, /at most 86400/],
  ['passkeys', { relying_party_id: 'com/' }, /must be a host name/],
  ['grants', { resource_scopes: json({ a: [1] }) }, /must be scopes by resource/],
]

for (const engine of engines) {
  describe(`a forged archive, imported on ${engine}`, () => {
    let target: TestService
    let archive: Awaited<ReturnType<typeof opened>>
    before(async () => {
      const source = await newService('sqlite')
      const world = await createWorld(source)
      await source.ok('putOAuthSettings', { params: { id: world.tenantId }, body: { registrationEnabled: true } })
      archive = await opened(await exported(source, world.tenantId))
      target = await newService(engine)
    })

    for (const [table, values, rule] of forgeries) {
      const [column = ''] = Object.keys(values)
      // Guards: forged-archives
      it(`is refused with ${json(values).slice(0, 60)} in ${table}`, async () => {
        await assert.rejects(importedAs(target, archive, forged(table, values)), (error: Error) => {
          assert.ok(error instanceof ArchiveError, error.stack)
          assert.match(error.message, rule)
          assert.match(error.message, new RegExp(`${table}(?:\\.${column} \\(row 1[,)]| c\\w+)`))
          return true
        })
      })
    }
  })

  describe(`what an archive says about the world outside, imported on ${engine}`, () => {
    const domain = { name: 'accounts.google.com', name_key: 'accounts.google.com' }
    const isFirst = (line: ArchivedLine, id: string) => line.kind === 'row' && line.row['id'] === id

    async function forgedDomains(trustDomains?: true) {
      const source = await newService('sqlite')
      const world = await createWorld(source)
      const target = await newService(engine)
      const at = source.deps.clock.now()
      const archive = await opened(await exported(source, world.tenantId))
      const inspection = await importedAs(
        target,
        archive,
        (line) => {
          if (line.kind !== 'row') return line
          if (line.table === 'organization_domains') return { ...line, row: { ...line.row, verified_at: at } }
          return isFirst(line, world.domainId) ? { ...line, row: { ...line.row, ...domain, verified_at: at } } : line
        },
        trustDomains === undefined ? {} : { trustDomains },
      )
      const { db } = target.deps
      const rows = (table: string) =>
        db.all<{ name: string; verified_at: string | null; verification_token: string }>(
          sql`SELECT name, verified_at, verification_token FROM ${sql.identifier(table)}
            WHERE tenant_id = ${world.tenantId} LIMIT 100`,
        )
      const archived = await source.deps.db.all<{ verification_token: string }>(
        sql`SELECT verification_token FROM domains WHERE tenant_id = ${world.tenantId}
          UNION SELECT verification_token FROM organization_domains WHERE tenant_id = ${world.tenantId} LIMIT 100`,
      )
      const tokens = new Set(archived.map((row) => row.verification_token))
      return { inspection, tokens, domains: [...(await rows('domains')), ...(await rows('organization_domains'))] }
    }

    // Guards: forged-archives
    it('verifies no domain, and accepts no record that was published for somebody else', async () => {
      const { inspection, domains, tokens } = await forgedDomains()
      assert.ok(domains.some(({ name }) => name === 'accounts.google.com') && domains.length > 3)
      assert.deepEqual(
        domains.filter((each) => each.verified_at !== null || tokens.has(each.verification_token)),
        [],
      )
      assert.ok(inspection.domainsToVerify > 1)
    })

    // Guards: forged-archives
    it('verifies domains if the operator trusts the archive about them', async () => {
      const { inspection, domains, tokens } = await forgedDomains(true)
      assert.equal(inspection.domainsToVerify, 0)
      assert.ok(domains.filter((each) => each.verified_at !== null).length > 1)
      assert.ok(domains.every((each) => tokens.has(each.verification_token)))
    })

    // Guards: forged-archives
    it('charges its messages to whoever imports it, and takes over the quotas that it has used', async () => {
      const source = await newService('sqlite')
      const tenant = await tenantWith(source)
      const { clock, db } = source.deps
      const day = `${new Date(Date.parse(clock.now()) + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000000Z`
      await db.write(() => [
        sql`INSERT INTO quotas (tenant_id, name, subject, used, window_ends_at)
          VALUES (${tenant.id}, 'messages:day', '0', 40, ${day})`,
      ])
      const archive = await opened(await exported(source, tenant.id))
      const forging = (line: ArchivedLine) => {
        const owned = forged('tenants', { creator_id: 'csomebodyelse' })(line)
        return forged('auth_configurations', { actor_type: 'console_user', actor_id: 'csomebodyelse' })(owned)
      }
      const actor = { type: 'console_user', id: 'cimporter0001', ip: null, ua: null } as const
      for (const [options, creatorId] of [[{}, null] as const, [{ actor }, actor.id] as const]) {
        const target = await newService(engine)
        await importedAs(target, archive, forging, options)
        const found = await target.ok('getTenant', { params: { id: tenant.id } })
        assert.equal(found['creatorId'], creatorId)
        const limits = await target.ok<{ messagesToday: number }>('getTenantLimits', { params: { id: tenant.id } })
        assert.equal(limits.messagesToday, 40)
        const left = await target.deps.db.all<{ actor_id: string | null }>(
          sql`SELECT actor_id FROM auth_configurations WHERE tenant_id = ${tenant.id} LIMIT 9`,
        )
        assert.deepEqual([...new Set(left.map((row) => row.actor_id))], [null])
      }
      const target = await newService(engine)
      await assert.rejects(importedAs(target, archive, forged('quotas', { used: -1_000_000 })), /quotas\.used/)
      assert.deepEqual((await importedAs(target, archive, (line) => line)).conflicts, [])
    })
  })
}

describe('the columns of tables that an archive contains', () => {
  const all: readonly TableFacts[] = [
    tenants,
    ...tenantTables.filter(({ options }) => options.notExported === undefined),
  ]

  // Guards: forged-archives
  it('each say what they accept, as a rule or with a reason', () => {
    const open = all.flatMap(({ name, declared, options }) =>
      Object.entries(declared)
        .filter(
          ([column, { form }]) => (form === 'text' || form === 'json') && options.madeAnew?.includes(column) !== true,
        )
        .filter(([column]) => {
          const accepted = options.accepts?.[column]
          return accepted === undefined || (isArgued(accepted) && accepted.because.length < 20)
        })
        .map(([column]) => `${name}.${column}`),
    )
    assert.deepEqual(open, [])
  })
})
