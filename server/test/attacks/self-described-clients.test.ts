// What a client that describes itself in a document of its own cannot give itself: anybody may publish such a
// document. See docs/security-tests.md 2.6.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Application, idJagGrant, tokenExchangeGrant } from '@bailiwick/contract'
import { SignJWT, decodeJwt, exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { paths } from '../../src/applications/engine/paths.ts'
import { listAgents } from '../../src/applications/grants/own-authorizations.ts'
import type { TenantId } from '../../src/platform/ids.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { servedDocuments } from '../harness/outside/self-described.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  createResource,
  interactionOf,
  issuerOf,
  relyingParty,
  setOAuthSettings,
} from '../harness/people/authorization.ts'
import { connectedOrganization, staff } from '../harness/people/enterprise.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import { describeServiceWith } from '../harness/service.ts'

const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const stranger = 'https://stranger.example/client.json'
const keys = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }

/** What documents say differently from that of a client of good faith, by their addresses. */
const documents = new Map<string, object>()

describeServiceWith(
  'a client that describes itself',
  ({ egress }) => {
    const served = servedDocuments(documents)
    const isProvider = (url: string) => url.startsWith('http://127.0.0.1:')
    return {
      egress: {
        ...egress,
        request: (url, request) => (isProvider(url) ? egress : served).request(url, request),
      },
    }
  },
  (service) => {
    const idp = new FakeIdentityProvider()
    before(() => idp.start())
    after(() => idp.stop())

    const world = async () => {
      const tenant = await tenantWith(service())
      await setOAuthSettings(service(), tenant.id, { metadata_documents_enabled: 1 })
      return { tenant, issuer: issuerOf(service(), tenant.id), user: await signedInUser(service(), tenant) }
    }
    const post = async (url: string, form: Record<string, string>) => {
      const answer = await new VisitingBrowser(service()).send('POST', url, new URLSearchParams(form))
      return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> }
    }
    const proof = async (issuer: string, clientId = stranger) => ({
      client_id: clientId,
      client_assertion_type: assertionType,
      client_assertion: await new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: crypto.randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'own' })
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(keys.privateKey),
    })

    // Guards: self-described-rights
    it('gives itself no grant but those that a user has to allow, and learns nothing of tokens of others', async () => {
      const { tenant, issuer, user } = await world()
      documents.set(stranger, {
        grant_types: ['authorization_code', 'client_credentials', tokenExchangeGrant],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [jwk] },
      })
      const own = await createResource(service(), tenant.id, { format: 'opaque', scopes: ['articles:read'] })
      const other = await createResource(service(), tenant.id, { scopes: ['articles:read'] })
      const shop = await createApplication(service(), tenant.id)
      const rp = await relyingParty(service(), tenant.id, shop)
      const authorization = await beginAuthorization(rp, { scope: 'openid articles:read', resource: own.indicator })
      const back = await authorize(new VisitingBrowser(service()), user.browser, authorization)
      const { access_token: token } = await client.authorizationCodeGrant(rp, back, authorization.checks, {
        resource: own.indicator,
      })
      const exchange = { subject_token: token, subject_token_type: accessTokenType, resource: other.indicator }
      for (const form of [{ grant_type: tokenExchangeGrant, ...exchange }, { grant_type: 'client_credentials' }]) {
        const answer = await post(issuer + paths.token, { ...form, ...(await proof(issuer)) })
        assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_request'], JSON.stringify(answer))
      }
      const known = await post(issuer + paths.introspection, { token, ...(await proof(issuer)) })
      assert.deepEqual([known.status, known.body], [200, { active: false }])
      assert.equal((await client.tokenIntrospection(rp, token)).active, true)
    })

    // Guards: self-described-rights
    it('is shown and stored by a name of one line, whatever its document says', async () => {
      const { tenant, issuer, user } = await world()
      const asked = async (clientId: string) => {
        const form = {
          client_id: clientId,
          redirect_uri: callbackUri,
          response_type: 'code',
          scope: 'openid',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        }
        const visiting = new VisitingBrowser(service())
        const begun = await visiting.visit(`${issuer}${paths.authorization}?${new URLSearchParams(form).toString()}`)
        assert.equal(begun.statusCode, 303, begun.body)
        const params = { uid: interactionOf(begun.headers['location']) }
        const { redirectUri } = await user.browser.ok<{ redirectUri: string }>('loginOAuthInteraction', { params })
        return { uid: interactionOf((await visiting.visit(redirectUri)).headers['location']) }
      }
      const names: readonly (readonly [given: string, shown: string])[] = [
        ['Not\0es', 'Notes'],
        ['a\ud800b', 'ab'],
        ['\u202egpj.exe\n\tby Acme', 'gpj.exe by Acme'],
        ['\u200b \u2066', 'names.example'],
        ['N'.repeat(3000), 'N'.repeat(128)],
      ]
      for (const [index, [given, shown]] of names.entries()) {
        const clientId = `https://names.example/${index}`
        documents.set(clientId, { client_name: given })
        const params = await asked(clientId)
        const { interaction } = await user.browser.ok<{ interaction: { application: { name: string } } }>(
          'getOAuthInteraction',
          { params },
        )
        assert.equal(interaction.application.name, shown)
        await user.browser.ok('consentOAuthInteraction', { params, body: { scopes: ['openid'] } })
      }
      const { data } = await service().ok<{ data: { name: string }[] }>('listApplications', {
        params: { tenantId: tenant.id },
      })
      assert.deepEqual(new Set(data.map(({ name }) => name)), new Set(names.map(([, shown]) => shown)))
    })

    // Guards: self-described-rights, identity-assertions
    it('redeems an identity assertion that names it and that it proves its key for, and is on record from then on', async () => {
      const { tenant, issuer } = await world()
      const { organization, domain, connection } = await connectedOrganization(service(), tenant.id, idp)
      const { indicator } = await createResource(service(), tenant.id)
      const keyed = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } }
      const agent = { grant_types: ['authorization_code', idJagGrant], ...keyed }
      const person = staff(domain)
      const assertion = (clientId: string) => {
        const now = Math.floor(Date.now() / 1000)
        const claims = { client_id: clientId, resource: indicator, jti: crypto.randomUUID(), iat: now, exp: now + 300 }
        return idp.sign({ ...person, aud: issuer, ...claims }, { typ: 'oauth-id-jag+jwt' })
      }
      // A document is read once in a while, so each has an address of its own.
      const publish = (name: string, document: object) => {
        const clientId = `https://${name}.example/client.json`
        documents.set(clientId, document)
        return clientId
      }
      const redeem = async (clientId: string, signed: string, isProven = true) => {
        const form = { grant_type: idJagGrant, assertion: signed }
        const credentials = isProven ? await proof(issuer, clientId) : { client_id: clientId }
        return post(issuer + paths.token, { ...form, ...credentials })
      }
      const listed = async () => {
        const params = { tenantId: tenant.id }
        return (await service().ok<{ data: Application[] }>('listApplications', { params })).data
      }
      const clientId = publish('agent', agent)
      const off = await redeem(clientId, await assertion(clientId))
      assert.deepEqual([off.status, off.body['error']], [400, 'invalid_grant'], 'the connection takes no assertions')
      await service().ok('updateConnection', { params: { id: connection.id }, body: { idJag: 'on' } })
      const plain = publish('plain', { ...agent, grant_types: ['authorization_code'] })
      const open = publish('open', { grant_types: agent.grant_types })
      const refusals = [
        ['a document without the grant', plain, await assertion(plain), true],
        ['a client without a key', open, await assertion(open), false],
        ['a client that does not prove its key', clientId, await assertion(clientId), false],
        ['an assertion for another client', clientId, await assertion(plain), true],
      ] as const
      for (const [what, who, signed, isProven] of refusals) {
        const { status, body } = await redeem(who, signed, isProven)
        assert.ok(status === 400 || status === 401, `${what}: ${JSON.stringify(body)}`)
      }
      assert.deepEqual(await listed(), [], 'nobody has allowed it anything')
      const signed = [await assertion(clientId), await assertion(clientId)]
      const answers = await Promise.all(signed.map((each) => redeem(clientId, each)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
        JSON.stringify(answers),
      )
      assert.equal(decodeJwt(String(answers[0]?.body['access_token']))['org_id'], organization.id)
      const [application, ...others] = await listed()
      assert.deepEqual([application?.clientId, others], [clientId, []])
      const agents = await listAgents(service().deps, tenant.id as TenantId, organization.id)
      assert.deepEqual(
        agents.map(({ name, members }) => [name, members]),
        [['Notes', 1]],
      )
      await service().ok('putOAuthSettings', { params: { id: tenant.id }, body: { metadataDocumentsEnabled: false } })
      assert.notEqual((await redeem(clientId, await assertion(clientId))).status, 200, 'the tenant knows no documents')
    })

    // Guards: self-described-rights
    it('is unknown by an address that is longer than any address needs to be', async () => {
      const { issuer } = await world()
      const form = { client_id: `https://long.example/${'x'.repeat(2500)}`, response_type: 'code', scope: 'openid' }
      const search = new URLSearchParams({ ...form, redirect_uri: callbackUri }).toString()
      const answer = await new VisitingBrowser(service()).visit(`${issuer}${paths.authorization}?${search}`)
      assert.deepEqual([answer.statusCode, answer.headers['location']], [400, undefined])
    })
  },
  2,
)
