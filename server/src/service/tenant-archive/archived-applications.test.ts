// The applications of a tenant continue where it is imported: with their secrets, resources and what users have allowed, but without the
// tokens, which hold where they were made.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as client from 'openid-client'
import { engines } from '../../../test/harness/databases/databases.ts'
import { exported, imported, newService } from '../../../test/harness/files/archives.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { browserOf, signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'

describe('an exported tenant with applications', () => {
  // Guards: stored-hashes
  it('keeps their secrets, resources and grants, and no code, token or session', async () => {
    const source = await newService(engines.at(0) ?? 'sqlite')
    const tenant = await tenantWith(source)
    const { id: resourceId, indicator } = await createResource(source, tenant.id)
    const application = await createApplication(source, tenant.id, { isTrusted: false })
    const machine = await createApplication(source, tenant.id, {
      type: 'machine',
      machineScopes: [{ resourceId, scopes: ['articles:read'] }],
    })
    const user = await signedInUser(source, tenant)
    const rp = await relyingParty(source, tenant.id, application)
    const scopes = ['openid', 'profile', 'email']
    const authorization = await beginAuthorization(rp)
    const back = await authorize(new VisitingBrowser(source), user.browser, authorization, { scopes })
    const { refresh_token: token = '' } = await client.authorizationCodeGrant(rp, back, authorization.checks)

    const target = await newService(engines.at(-1) ?? 'sqlite')
    const { conflicts, rows } = await imported(target, await exported(source, tenant.id))
    assert.deepEqual(conflicts, [])
    assert.deepEqual(
      ['applications', 'application_secrets', 'resources', 'grants', 'oauth_tokens', 'oauth_sessions'].map(
        (table) => rows[table] ?? 0,
      ),
      [2, 2, 1, 1, 0, 0],
    )
    const machineThere = await relyingParty(target, tenant.id, machine)
    const own = await client.clientCredentialsGrant(machineThere, { resource: indicator, scope: 'articles:read' })
    assert.equal(own.scope, 'articles:read')
    const rpThere = await relyingParty(target, tenant.id, application)
    await assert.rejects(
      client.refreshTokenGrant(rpThere, token),
      (error) => error instanceof client.ResponseBodyError && error.error === 'invalid_grant',
    )
    // What the user has allowed is not asked for again.
    const { browser } = await browserOf(target, tenant, user.user.id)
    const again = await beginAuthorization(rpThere)
    const there = await authorize(new VisitingBrowser(target), browser, again, { scopes: ['nothing'] })
    const tokens = await client.authorizationCodeGrant(rpThere, there, again.checks)
    assert.equal(tokens.claims()?.sub, user.user.id)
  })
})
