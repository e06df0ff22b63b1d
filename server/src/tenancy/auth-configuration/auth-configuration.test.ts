import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AuthPreview, ErrorBody, SettingsDifference, Tenant } from '@bailiwick/contract'
import { atOnce } from '../../../test/harness/at-once.ts'
import { statusCounts } from '../../../test/harness/databases/stored.ts'
import { createSocialProvider, createTenant, createUser } from '../../../test/harness/factories.ts'
import { describeService, productionEnv } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { previewChange } from './preview.ts'

interface Versions {
  readonly data: readonly { version: number; actor: { type: string }; createdAt: string }[]
  readonly meta: { readonly total: number }
}

const everyStrategyOff = {
  strategyUsernamePasswordEnabled: false,
  strategyEmailPasswordEnabled: false,
  strategyEmailLinkEnabled: false,
  strategyEmailCodeEnabled: false,
  strategyPhoneCodeEnabled: false,
  strategyPhonePasswordEnabled: false,
  strategyOAuthEnabled: false,
  strategySecurityKeyEnabled: false,
}

describeService('authentication configuration', (service) => {
  const put = (id: string, body: object) => service().ok<Tenant>('putAuthTenant', { params: { id }, body })
  const versions = (id: string) => service().ok<Versions>('listAuthVersions', { params: { id } })

  it('changes what is sent, keeps the rest, and shows it everywhere at once', async () => {
    const { tenant } = await createTenant(service())
    const changed = await put(tenant.id, { signUpEnabled: false, homeUri: 'https://acme.example/' })
    assert.equal(changed.auth?.signUpEnabled, false)
    assert.equal(changed.auth.homeUri, 'https://acme.example/')
    const { signUpEnabled: _a, homeUri: _b, updatedAt: _c, ...rest } = changed.auth
    const { signUpEnabled: _d, homeUri: _e, updatedAt: before, ...restBefore } = tenant.auth ?? assert.fail()
    assert.deepEqual(rest, restBefore)
    assert.ok(changed.auth.updatedAt > before)
    const read = await service().ok<Tenant>('getTenantByPublicKey', { params: { publicKey: tenant.publicKey } })
    assert.deepEqual(read, changed)
  })

  it('stores every change as a version, compares two and goes back to one', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(id, { signUpEnabled: false, sessionMaximumLifetime: 3600 })
    await put(id, { signUpEnabled: false })
    await put(id, { nameRequired: true })
    const { data, meta } = await versions(id)
    assert.deepEqual(
      data.map(({ version }) => version),
      [3, 2, 1],
      'an empty change makes no version',
    )
    assert.equal(meta.total, 3)
    const diff = await service().ok<SettingsDifference[]>('diffAuthVersions', { params: { id, from: '1', to: '3' } })
    assert.deepEqual(
      diff.map(({ setting, to }) => [setting, to]),
      [
        ['signUpEnabled', false],
        ['nameRequired', true],
        ['sessionMaximumLifetime', 3600],
      ],
    )
    const restored = await service().ok<Tenant>('restoreAuthVersion', { params: { id, version: '1' } })
    assert.equal(restored.auth?.signUpEnabled, true)
    assert.equal((await versions(id)).meta.total, 4)
    await service().refused('restoreAuthVersion', 'not_found', { params: { id, version: '5' } })
    await service().refused('diffAuthVersions', 'not_found', { params: { id, from: '1', to: '9' } })
  })

  it('stores the addresses that flows may end at like any other setting', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    assert.deepEqual(tenant.auth?.redirectUris, [])
    const redirectUris = ['https://app.acme.example/in', 'com.acme.app:/callback', 'http://localhost:3000/in']
    const changed = await put(id, { redirectUris })
    assert.deepEqual(changed.auth?.redirectUris, redirectUris)
    await put(id, { redirectUris })
    assert.equal((await versions(id)).meta.total, 2, 'a list that is the same is no change')
    await put(id, { redirectUris: redirectUris.toReversed() })
    const diff = await service().ok<SettingsDifference[]>('diffAuthVersions', { params: { id, from: '1', to: '2' } })
    assert.deepEqual(diff, [{ setting: 'redirectUris', from: [], to: redirectUris }])
    const restored = await service().ok<Tenant>('restoreAuthVersion', { params: { id, version: '2' } })
    assert.deepEqual(restored.auth?.redirectUris, redirectUris)
    await put(id, { redirectUris: [] })
  })

  it('accepts a hundred of them, each of the maximum length, and names those that are invalid', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const long = Array.from({ length: 100 }, (_, n) => `https://app.acme.example/${n}/`.padEnd(2048, 'x'))
    assert.deepEqual((await put(id, { redirectUris: long })).auth?.redirectUris, long)
    const refusedAt = async (redirectUris: unknown) => {
      const body = { redirectUris }
      const { issues } = await service().refused('putAuthTenant', 'validation_failed', { params: { id }, body })
      return [...new Set(issues?.map(({ path }) => path))]
    }
    assert.deepEqual(await refusedAt([...long, 'https://app.acme.example/']), ['/redirectUris'])
    assert.deepEqual(await refusedAt([`${long[0]}x`]), ['/redirectUris/0'])
    assert.deepEqual((await put(id, { redirectUris: null })).auth?.redirectUris, long, 'null leaves the list as it is')
    const none = [
      'javascript:/x',
      'https://app.acme.example/#x',
      'https://*.acme.example/',
      'http://acme.example/',
      'myapp:/x',
    ]
    for (const address of none)
      assert.deepEqual(await refusedAt(['https://acme.example/', address]), ['/redirectUris/1'])
  })

  it('reads a version that is older than a setting, and leaves the setting unchanged when it goes back to that version', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const { db, tenants } = service().deps
    const [row] = await db.all<{ document: string }>(
      sql`SELECT document FROM auth_configurations WHERE tenant_id = ${id} LIMIT 1`,
    )
    const { redirectUris: _, ...older } = JSON.parse(row?.document ?? '{}') as Record<string, unknown>
    await db.write(() => [
      sql`UPDATE auth_configurations SET document = ${JSON.stringify(older)} WHERE tenant_id = ${id}`,
    ])
    tenants.clear()
    const read = await service().ok<Tenant>('getTenant', { params: { id } })
    assert.deepEqual(read.auth?.redirectUris, [])
    const redirectUris = ['https://app.acme.example/in']
    await put(id, { redirectUris, signUpEnabled: false })
    const restored = await service().ok<Tenant>('restoreAuthVersion', { params: { id, version: '1' } })
    assert.equal(restored.auth?.signUpEnabled, true)
    assert.deepEqual(restored.auth?.redirectUris, redirectUris)
  })

  it('numbers versions without gaps if many change at once', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    const answers = await atOnce(30, (n) =>
      service().call('putAuthTenant', { params: { id }, body: { sessionMaximumLifetime: 1000 + n } }),
    )
    assert.deepEqual(statusCounts(answers), { 200: 30 })
    const { data, meta } = await service().ok<Versions>('listAuthVersions', {
      params: { id },
      query: { perPage: '100' },
    })
    assert.equal(meta.total, 31)
    assert.deepEqual(
      data.map(({ version }) => version),
      Array.from({ length: 31 }, (_, n) => 31 - n),
    )
  })

  it('records one event for each version, with what changed before and after', async () => {
    const { tenant } = await createTenant(service())
    await put(tenant.id, { phoneRequired: true })
    const events = await service().deps.db.all<{ data: string }>(
      sql`SELECT data FROM events WHERE tenant_id = ${tenant.id} AND type = 'auth_configuration.updated' LIMIT 10`,
    )
    assert.deepEqual(
      events.map(({ data }) => JSON.parse(data) as unknown),
      [{ version: 2, before: { phoneRequired: false }, after: { phoneRequired: true } }],
    )
  })

  it('refuses a change that locks everybody out, with the reason, and keeps the old configuration', async () => {
    const { tenant } = await createTenant(service())
    const { issues } = await service().refused('putAuthTenant', 'validation_failed', {
      params: { id: tenant.id },
      body: everyStrategyOff,
    })
    assert.equal(issues?.[0]?.code, 'locks_everybody_out')
    assert.match(issues[0].message, /email_password: strategyEmailPasswordEnabled is off/)
    assert.equal((await versions(tenant.id)).meta.total, 1)
    await put(tenant.id, { ...everyStrategyOff, signInEnabled: false })
  })

  it('counts a social provider as a way of signing in only if there is one', async () => {
    const { tenant } = await createTenant(service())
    const body = { ...everyStrategyOff, strategyOAuthEnabled: true }
    await service().refused('putAuthTenant', 'validation_failed', { params: { id: tenant.id }, body })
    await createSocialProvider(service(), tenant.id)
    await put(tenant.id, body)
  })

  it('answers 404 if the body names another tenant', async () => {
    const { tenant } = await createTenant(service())
    const params = { id: tenant.id }
    await service().refused('putAuthTenant', 'not_found', { params, body: { tenantId: 'c00000000000' } })
    assert.equal((await put(tenant.id, { tenantId: tenant.id })).id, tenant.id)
  })

  for (const [what, body, path] of [
    ['a lifetime of zero', { sessionMaximumLifetime: 0 }, '/sessionMaximumLifetime'],
    ['a negative lifetime', { sessionInactivityTimeout: -1 }, '/sessionInactivityTimeout'],
    ['a lifetime beyond a year', { sessionMaximumLifetime: 2 ** 31 }, '/sessionMaximumLifetime'],
    ['a fraction', { organizationMembershipLimit: 1.5 }, '/organizationMembershipLimit'],
    ['a script as an address', { signInUri: 'javascript:alert(1)' }, '/signInUri'],
    ['an address without https', { logoutRedirectUri: 'http://acme.example' }, '/logoutRedirectUri'],
    ['a template of nobody', { welcomeEmailTemplateId: 'c00000000000' }, '/welcomeEmailTemplateId'],
    ['a channel of nobody', { emailChannelId: 'c00000000000' }, '/emailChannelId'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { tenant } = await createTenant(service())
      const { issues } = await service().refused('putAuthTenant', 'validation_failed', {
        params: { id: tenant.id },
        body,
      })
      assert.deepEqual(
        issues?.map((issue) => issue.path),
        [path],
      )
    })
  }

  it("refuses another tenant's template and one of the other kind", async () => {
    const { tenant } = await createTenant(service())
    const { tenant: other } = await createTenant(service())
    for (const id of [other.auth?.welcomeEmailTemplateId, tenant.auth?.welcomeSMSMessageTemplateId]) {
      await service().refused('putAuthTenant', 'validation_failed', {
        params: { id: tenant.id },
        body: { welcomeEmailTemplateId: id },
      })
    }
    await put(tenant.id, { welcomeEmailTemplateId: null })
  })

  it('previews a change: who could no longer sign in, and why, and changes nothing', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await put(id, {
      strategyEmailCodeEnabled: false,
      strategyUsernamePasswordEnabled: true,
      usernameSignInEnabled: true,
    })
    const password = 'a long enough password'
    const both = await createUser(service(), id, { username: 'both', password })
    const mailOnly = await createUser(service(), id, { password })
    await createUser(service(), id, {})
    const preview = await service().ok<AuthPreview>('previewAuthTenant', {
      params: { id },
      body: { emailSignInEnabled: false },
    })
    assert.deepEqual(preview.differences, [{ setting: 'emailSignInEnabled', from: true, to: false }])
    assert.deepEqual([preview.usersChecked, preview.usersLockedOut], [3, 1])
    assert.deepEqual(preview.sample, [{ userId: mailOnly.id, reasons: ['email_password: emailSignInEnabled is off'] }])
    assert.ok(!JSON.stringify(preview).includes(both.id))
    assert.equal((await versions(id)).meta.total, 2)
    const bounded = await previewChange(service().deps, id as TenantId, { emailSignInEnabled: false }, 2)
    assert.deepEqual([bounded.usersChecked, bounded.usersLockedOut], [2, 1], 'the newest')
    const harmless = await service().ok<AuthPreview>('previewAuthTenant', {
      params: { id },
      body: { nameRequired: true },
    })
    assert.deepEqual([harmless.usersChecked, harmless.usersLockedOut, harmless.sample], [3, 0, []])
    const locked = await service().ok<AuthPreview>('previewAuthTenant', { params: { id }, body: everyStrategyOff })
    assert.equal(locked.usersLockedOut, 2)
    assert.equal(locked.issues[0]?.code, 'locks_everybody_out')
  })

  it('previews whether users can still sign in with passkeys and social accounts', async () => {
    const { tenant } = await createTenant(service())
    const { id } = tenant
    await createSocialProvider(service(), id)
    const [withPasskey, withAccount] = [await createUser(service(), id, {}), await createUser(service(), id, {})]
    const { db, clock } = service().deps
    const [at, later] = [clock.now(), clock.now()]
    await db.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO passkeys (tenant_id, id, user_id, credential_id, public_key, relying_party_id, transports,
          counter, is_backup_eligible, is_backed_up, created_at, updated_at)
        VALUES (${id}, ${`${withPasskey.id}k`}, ${withPasskey.id}, 'a credential', 'a key', 'localhost', '[]', 0, 0, 0, ${at}, ${at})`)
      await tx.run(sql`INSERT INTO social_connections (tenant_id, id, user_id, provider_key, issuer, subject, created_at, updated_at)
        VALUES (${id}, ${`${withAccount.id}s`}, ${withAccount.id}, 'github', 'https://github.com', '1', ${later}, ${later})`)
    })
    const lockedOut = async (body: object) => {
      const preview = await service().ok<AuthPreview>('previewAuthTenant', { params: { id }, body })
      return preview.sample.map(({ userId }) => userId).toSorted()
    }
    assert.deepEqual(await lockedOut({ emailSignInEnabled: false }), [])
    assert.deepEqual(await lockedOut({ emailSignInEnabled: false, strategyOAuthEnabled: false }), [withAccount.id])
    assert.deepEqual(await lockedOut({ emailSignInEnabled: false, strategySecurityKeyEnabled: false }), [
      withPasskey.id,
    ])
  })
})

describeService(
  'authentication configuration in production',
  (service) => {
    it('refuses to switch on a strategy whose channel does not exist', async () => {
      const answer = await service().call<ErrorBody & Tenant>('createTenant', {
        body: { name: 'Acme', environment: 'production' },
        headers: { host: 'id.example.com' },
      })
      const { body } = await service().call<ErrorBody>('putAuthTenant', {
        params: { id: answer.body.id },
        body: { strategyPhoneCodeEnabled: true },
        headers: { host: 'id.example.com' },
      })
      assert.deepEqual(
        body.issues?.map(({ path, code }) => [path, code]),
        [['/strategyPhoneCodeEnabled', 'unusable']],
      )
    })
  },
  productionEnv,
)
