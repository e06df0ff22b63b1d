// Two resources of a tenant can have scopes of the same name. What a user has allowed at one of them must not become a token for the other,
// unless the tenant has said so.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { tokenExchangeGrant } from '@bailiwick/contract'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  createApplication,
  createResource,
  relyingParty,
} from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeNodesInTurn } from '../harness/service.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

describeNodesInTurn('a token exchange', (service) => {
  const world = async () => {
    const tenant = await tenantWith(service())
    const [notes, bank] = await Promise.all(
      [1, 2].map(() => createResource(service(), tenant.id, { scopes: ['read'] })),
    )
    assert.ok(notes !== undefined && bank !== undefined)
    const app = await createApplication(service(), tenant.id)
    const rp = await relyingParty(service(), tenant.id, app)
    const user = await signedInUser(service(), tenant)
    const tokenFor = async ({ indicator }: typeof notes) => {
      const authorization = await beginAuthorization(rp, { scope: 'openid read', resource: indicator })
      const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
      const tokens = await client.authorizationCodeGrant(rp, back, authorization.checks, { resource: indicator })
      return tokens.access_token
    }
    const exchanger = async (lists: { exchangeFrom?: string[]; exchangeTo?: string[] }) => {
      const grantTypes = ['client_credentials', tokenExchangeGrant]
      const machineScopes = [{ resourceId: notes.id, scopes: ['read'] }]
      const made = await createApplication(service(), tenant.id, {
        type: 'machine',
        grantTypes,
        machineScopes,
        ...lists,
      })
      return relyingParty(service(), tenant.id, made)
    }
    return { tenant, notes, bank, tokenFor, exchanger }
  }
  const exchange = (by: client.Configuration, subject: string, parameters: Record<string, string> = {}) =>
    client.genericGrantRequest(by, tokenExchangeGrant, {
      subject_token: subject,
      subject_token_type: accessTokenType,
      ...parameters,
    })
  const refused = (work: Promise<unknown>, code: string) =>
    assert.rejects(work, (error: unknown) => error instanceof client.ResponseBodyError && error.error === code)

  it('is refused for an application that lists no resources, whatever its scopes as a machine are', async () => {
    const { notes, bank, tokenFor, exchanger } = await world()
    const subject = await tokenFor(notes)
    const by = await exchanger({})
    await refused(exchange(by, subject), 'invalid_request')
    await refused(exchange(by, subject, { resource: bank.indicator }), 'invalid_request')
  })

  // Guards: exchanged-audiences
  it('gives no token for a resource of equal scope names that the application does not list', async () => {
    const { notes, bank, tokenFor, exchanger } = await world()
    const subject = await tokenFor(notes)
    const by = await exchanger({ exchangeFrom: [notes.id], exchangeTo: [notes.id] })
    for (const name of ['resource', 'audience']) {
      await refused(exchange(by, subject, { [name]: bank.indicator, scope: 'read' }), 'invalid_target')
    }
    const own = await exchange(by, subject)
    assert.equal(decodeJwt(own.access_token).aud, notes.indicator)
  })

  // Guards: exchanged-audiences
  it('takes no token from an audience that the application does not list, as subject or as actor', async () => {
    const { notes, bank, tokenFor, exchanger } = await world()
    const by = await exchanger({ exchangeFrom: [notes.id], exchangeTo: [notes.id, bank.id] })
    const foreign = await tokenFor(bank)
    await refused(exchange(by, foreign), 'invalid_request')
    const actor = { actor_token: foreign, actor_token_type: accessTokenType }
    await refused(exchange(by, await tokenFor(notes), actor), 'invalid_request')
  })

  it('crosses from one resource to another where the tenant lists both', async () => {
    const { notes, bank, tokenFor, exchanger } = await world()
    const by = await exchanger({ exchangeFrom: [notes.id], exchangeTo: [bank.id] })
    const { access_token: token } = await exchange(by, await tokenFor(notes), { resource: bank.indicator })
    assert.deepEqual([decodeJwt(token).aud, decodeJwt(token)['scope']], [bank.indicator, 'read'])
    // The new token is of another audience, so it is not exchanged back.
    await refused(exchange(by, token, { resource: notes.indicator }), 'invalid_request')
  })

  it('may only list resources of the tenant, and only for applications with the grant', async () => {
    const { tenant, notes } = await world()
    const other = await world()
    const body = { tenantId: tenant.id, name: 'Exchanger', type: 'machine', exchangeFrom: [notes.id] }
    const issues = async (change: object) => {
      const answer = await service().refused('createApplication', 'validation_failed', { body: { ...body, ...change } })
      return answer.issues?.map(({ path, code }) => [path, code])
    }
    assert.deepEqual(await issues({}), [['/exchangeFrom', 'not_of_this_type']])
    const grantTypes = [tokenExchangeGrant]
    assert.deepEqual(await issues({ grantTypes, exchangeTo: [other.notes.id] }), [
      ['/exchangeTo/0', 'unknown_reference'],
    ])
    const made = await service().ok<{ id: string; exchangeFrom: string[] }>('createApplication', {
      body: { ...body, grantTypes },
    })
    assert.deepEqual(made.exchangeFrom, [notes.id])
    await service().refused('deleteResource', 'resource_in_use', { params: { id: notes.id } })
  })
})
