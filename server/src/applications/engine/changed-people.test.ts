// What the authorization server still says and issues for users who were suspended, have left an organization or have another role since a
// token was issued.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { createOrganization, createRole } from '../../../test/harness/factories.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'
import { describeService } from '../../../test/harness/service.ts'
import { fromMs } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof client.ResponseBodyError && error.error === code

describeService('what was issued for a user', (service) => {
  /** A user whose role allows writing, and who is a member of an organization with a role that allows reading. */
  const world = async () => {
    const tenant = await tenantWith(service(), { organizationsEnabled: true })
    const application = await createApplication(service(), tenant.id, { isTrusted: false })
    const rp = await relyingParty(service(), tenant.id, application)
    const user = await signedInUser(service(), tenant)
    const { indicator } = await createResource(service(), tenant.id, { format: 'opaque' })
    const organization = await createOrganization(service(), tenant.id)
    const [writer, reader] = await Promise.all(
      ['articles:write', 'articles:read'].map((each) => createRole(service(), tenant.id, { permissions: [each] })),
    )
    await service().ok('updateUser', { params: { id: user.user.id }, body: { roleId: writer?.id } })
    const member = await service().ok<{ id: string }>('createOrganizationMember', {
      body: { organizationId: organization.id, userId: user.user.id, roleId: reader?.id },
    })
    const scope = 'openid offline_access articles:read articles:write'
    const codeFor = async (organizationId?: string) => {
      const authorization = await beginAuthorization(rp, { scope, resource: indicator, prompt: 'consent' })
      const consent = { scopes: scope.split(' '), ...(organizationId === undefined ? {} : { organizationId }) }
      const back = await authorize(new VisitingBrowser(service()), user.browser, authorization, consent)
      return { authorization, back }
    }
    const redeem = ({ authorization, back }: Awaited<ReturnType<typeof codeFor>>, resource?: string) =>
      client.authorizationCodeGrant(rp, back, authorization.checks, resource === undefined ? {} : { resource })
    return { tenant, rp, user, indicator, organization, member, writer, codeFor, redeem }
  }

  const ways = {
    removed: (id: string) => service().ok('deleteOrganizationMember', { params: { id } }),
    // The time alone ends it: nothing has removed it yet.
    expired: (id: string) =>
      service().deps.db.write(() => [
        sql`UPDATE organization_members SET expires_at = ${fromMs(service().deps.clock.nowMs() - 1)} WHERE id = ${id}`,
      ]),
  }

  // Guards: left-organizations, membership-ends
  for (const [how, end] of Object.entries(ways))
    it(`ends with their membership, ${how}, if they have allowed it for an organization`, async () => {
      const { rp, user, indicator, organization, member, codeFor, redeem } = await world()
      const pending = await codeFor(organization.id)
      const [info, access] = [
        await redeem(await codeFor(organization.id)),
        await redeem(await codeFor(organization.id), indicator),
      ]
      const own = await redeem(await codeFor(), indicator)
      const before = await client.tokenIntrospection(rp, access.access_token)
      assert.deepEqual([before['org_id'], before['permissions']], [organization.id, ['articles:read']])
      await client.fetchUserInfo(rp, info.access_token, user.user.id)

      await end(member.id)
      await assert.rejects(redeem(pending, indicator), refusedWith('invalid_grant'))
      for (const { refresh_token: token = '' } of [info, access]) {
        await assert.rejects(client.refreshTokenGrant(rp, token, { resource: indicator }), refusedWith('invalid_grant'))
        assert.equal((await client.tokenIntrospection(rp, token)).active, false)
      }
      assert.equal((await client.tokenIntrospection(rp, access.access_token)).active, false)
      await assert.rejects(client.fetchUserInfo(rp, info.access_token, user.user.id))
      // What the user has allowed as a person goes on.
      assert.equal((await client.tokenIntrospection(rp, own.access_token)).active, true)
      await client.refreshTokenGrant(rp, own.refresh_token ?? '', { resource: indicator })
    })

  // Guards: membership-ends
  it('lasts no longer than a membership with an end, or a role in the tenant', async () => {
    const { rp, user, indicator, organization, member, codeFor, redeem } = await world()
    const expiresAt = new Date(service().deps.clock.nowMs() + 120_000).toISOString()
    await service().ok('updateOrganizationMember', { params: { id: member.id }, body: { expiresAt } })
    const own = await redeem(await codeFor(), indicator)
    const access = await redeem(await codeFor(organization.id), indicator)
    const next = await client.refreshTokenGrant(rp, access.refresh_token ?? '', { resource: indicator })
    const info = await redeem(await codeFor(organization.id))
    assert.ok((own.expires_in ?? 0) > 120)
    for (const { expires_in: seconds = Infinity } of [access, next, info]) assert.ok(seconds <= 120, String(seconds))
    assert.ok((info.claims()?.exp ?? Infinity) * 1000 <= Date.parse(expiresAt))
    await service().ok('updateUser', { params: { id: user.user.id }, body: { roleExpiresAt: expiresAt } })
    const personal = await redeem(await codeFor(), indicator)
    const again = await client.refreshTokenGrant(rp, own.refresh_token ?? '', { resource: indicator })
    for (const { expires_in: seconds = Infinity } of [personal, again]) assert.ok(seconds <= 120, String(seconds))
  })

  // Guards: organizations-off
  it('never says what they may do as a person in place of what they may do for an organization', async () => {
    const { tenant, rp, indicator, organization, codeFor, redeem } = await world()
    const { refresh_token: token = '', access_token: access } = await redeem(await codeFor(organization.id), indicator)
    await service().ok('putAuthTenant', { params: { id: tenant.id }, body: { organizationsEnabled: false } })
    const told = await client.tokenIntrospection(rp, access)
    assert.deepEqual([told.active, told['org_id'], told['permissions']], [true, undefined, []])
    const next = await client.refreshTokenGrant(rp, token, { resource: indicator })
    const after = await client.tokenIntrospection(rp, next.access_token)
    assert.deepEqual([after.active, after['org_id'], after['permissions']], [true, undefined, []])
    assert.equal(decodeJwt(next.id_token ?? '')['org_id'], undefined)
  })

  // Guards: left-organizations
  it('is described by the role that they have now', async () => {
    const { rp, user, indicator, codeFor, redeem } = await world()
    const { access_token: token } = await redeem(await codeFor(), indicator)
    assert.deepEqual((await client.tokenIntrospection(rp, token))['permissions'], ['articles:write'])
    await service().ok('updateUser', { params: { id: user.user.id }, body: { roleId: null } })
    assert.deepEqual((await client.tokenIntrospection(rp, token))['permissions'], [])
  })

  // Guards: left-organizations
  it('is not active while they are suspended', async () => {
    const { rp, user, indicator, codeFor, redeem } = await world()
    const { access_token: access, refresh_token: refresh = '' } = await redeem(await codeFor(), indicator)
    await service().ok('suspendUser', { params: { id: user.user.id } })
    for (const token of [access, refresh]) assert.equal((await client.tokenIntrospection(rp, token)).active, false)
  })
})
