// What the authorization server answers if the grant, user or application that a request depends on is removed after the request has read
// it and before it writes.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deviceCodeGrant } from '@bailiwick/contract'
import * as client from 'openid-client'
import { describeInterrupted } from '../../../test/harness/databases/interrupted-database.ts'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../../../test/harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../../../test/harness/people/signed-in-user.ts'

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof client.ResponseBodyError && error.error === code

describeInterrupted(
  'a request to the authorization server whose grant, user or application ends',
  (service, beforeNextWrite) => {
    const world = async () => {
      const tenant = await tenantWith(service())
      const application = await createApplication(service(), tenant.id)
      const rp = await relyingParty(service(), tenant.id, application)
      const user = await signedInUser(service(), tenant)
      const visiting = new VisitingBrowser(service())
      const begin = async () => {
        const authorization = await beginAuthorization(rp, { scope: 'openid' })
        return { authorization, back: await authorize(visiting, user.browser, authorization) }
      }
      const signIn = async () => {
        const { authorization, back } = await begin()
        return client.authorizationCodeGrant(rp, back, authorization.checks)
      }
      const grants = async () =>
        (await user.browser.ok<{ authorizations: { id: string }[] }>('listOwnAuthorizations')).authorizations
      const withdraw = async () => {
        for (const { id } of await grants()) await user.browser.ok('deleteOwnAuthorization', { params: { id } })
      }
      return { tenant, application, rp, user, visiting, begin, signIn, grants, withdraw }
    }

    // Guards: whole-exchanges
    it('begins again at the authorization endpoint, so that a trusted application gets a new grant', async () => {
      const { rp, visiting, signIn, grants, withdraw, tenant } = await world()
      await signIn()
      const [before] = await grants()
      const authorization = await beginAuthorization(rp, { scope: 'openid' })
      beforeNextWrite(withdraw)
      const again = await visiting.visit(authorization.url)
      assert.deepEqual([again.statusCode, again.headers['location']], [303, authorization.url.href], again.body)
      const back = await visiting.visit(authorization.url)
      await client.authorizationCodeGrant(rp, new URL(String(back.headers['location'])), authorization.checks)
      const after = await grants()
      assert.equal(after.length, 1)
      assert.notEqual(after[0]?.id, before?.id)
      assert.equal((await storedEvents(service(), tenant.id, 'grant.created')).length, 2)
    })

    // Guards: whole-exchanges
    it('issues no token for a code or refresh token whose grant is withdrawn', async () => {
      const { application, rp, begin, signIn, withdraw } = await world()
      const { authorization, back } = await begin()
      beforeNextWrite(withdraw)
      await assert.rejects(client.authorizationCodeGrant(rp, back, authorization.checks), refusedWith('invalid_grant'))
      for (const refreshTokenRotation of [true, false]) {
        const params = { id: application.id }
        await service().ok('updateApplication', { params, body: { refreshTokenRotation } })
        const { refresh_token: token = '' } = await signIn()
        beforeNextWrite(withdraw)
        await assert.rejects(client.refreshTokenGrant(rp, token), refusedWith('invalid_grant'))
      }
    })

    // Guards: whole-exchanges
    it('issues no token for a user or to an application that is deleted', async () => {
      const { rp, begin, signIn, user, tenant } = await world()
      const { authorization, back } = await begin()
      const { refresh_token: token = '' } = await signIn()
      beforeNextWrite(() => service().ok('deleteUser', { params: { id: user.user.id } }))
      await assert.rejects(client.authorizationCodeGrant(rp, back, authorization.checks), refusedWith('invalid_grant'))
      await assert.rejects(client.refreshTokenGrant(rp, token), refusedWith('invalid_grant'))
      const { id: resourceId, indicator } = await createResource(service(), tenant.id, { format: 'opaque' })
      const machineScopes = [{ resourceId, scopes: ['articles:read'] }]
      const machine = await createApplication(service(), tenant.id, { type: 'machine', machineScopes })
      const machineRp = await relyingParty(service(), tenant.id, machine)
      beforeNextWrite(() => service().ok('deleteApplication', { params: { id: machine.id } }))
      await assert.rejects(
        client.clientCredentialsGrant(machineRp, { resource: indicator }),
        refusedWith('invalid_grant'),
      )
      const device = await createApplication(service(), tenant.id, { type: 'device', grantTypes: [deviceCodeGrant] })
      const deviceRp = await relyingParty(service(), tenant.id, device)
      beforeNextWrite(() => service().ok('deleteApplication', { params: { id: device.id } }))
      const begun = client.initiateDeviceAuthorization(deviceRp, { scope: 'openid' })
      await assert.rejects(begun, refusedWith('invalid_client'))
    })
  },
)
