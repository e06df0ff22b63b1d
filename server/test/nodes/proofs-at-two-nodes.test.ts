// A proof of possession (DPoP, RFC 9449) is good for one request, at one address, by one method, for a short time, and with the token of its
// key. Which node receives it makes no difference.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { paths } from '../../src/applications/engine/paths.ts'
import {
  VisitingBrowser,
  authorize,
  beginAuthorization,
  callbackUri,
  createApplication,
  issuerOf,
  relyingParty,
} from '../harness/people/authorization.ts'
import { signedInUser, tenantWith } from '../harness/people/signed-in-user.ts'
import type { TestService } from '../harness/service.ts'
import { describeOnTwoNodes } from './two-nodes.ts'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

interface Proof {
  readonly url: string
  readonly method?: string
  readonly token?: string
  readonly claims?: object
  readonly header?: object
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

async function proofBy(keys: Keys, { url, method = 'GET', token, claims = {}, header = {} }: Proof): Promise<string> {
  const ath = token === undefined ? {} : { ath: hashOf(token) }
  const iat = Math.floor(Date.now() / 1000)
  return new SignJWT({ jti: randomUUID(), htm: method, htu: url, iat, ...ath, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(keys.publicKey), ...header })
    .sign(keys.privateKey)
}

describeOnTwoNodes('proofs of possession at two nodes', (nodes) => {
  async function world() {
    const { one } = nodes()
    const tenant = await tenantWith(one)
    const application = await createApplication(one, tenant.id, { type: 'spa' })
    const rp = await relyingParty(one, tenant.id, application)
    const user = await signedInUser(one, tenant)
    const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
    const issuer = issuerOf(one, tenant.id)
    const [tokenUrl, infoUrl] = [issuer + paths.token, issuer + paths.userinfo]
    const ask = (node: TestService, url: string, headers: Record<string, string>, payload?: Record<string, string>) => {
      const { host, pathname } = new URL(url)
      const sent = payload === undefined ? {} : { payload: new URLSearchParams(payload).toString() }
      const method = payload === undefined ? 'GET' : 'POST'
      return node.request({ method, url: pathname, headers: { host, ...headers }, ...sent })
    }
    const redemption = async () => {
      const authorization = await beginAuthorization(rp)
      const back = await authorize(new VisitingBrowser(one), user.browser, authorization)
      return {
        client_id: application.clientId,
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: callbackUri,
        code_verifier: authorization.checks.pkceCodeVerifier ?? '',
      }
    }
    const redeem = async (node: TestService, proof: string) =>
      ask(node, tokenUrl, { ...form, dpop: proof }, await redemption())
    const tokensBy = async (keys: Keys) => {
      const { status, body, text } = await redeem(one, await proofBy(keys, { url: tokenUrl, method: 'POST' }))
      assert.equal(status, 200, text)
      return body as { access_token: string; refresh_token: string; token_type: string }
    }
    /** Whether the node answers with who the user is; a refusal is 400 or 401, by what is wrong. */
    const inform = async (node: TestService, token: string, proof: string, scheme = 'DPoP') => {
      const { status, text } = await ask(node, infoUrl, { authorization: `${scheme} ${token}`, dpop: proof })
      assert.ok([200, 400, 401].includes(status), text)
      return status === 200
    }
    return { own, other, tokenUrl, infoUrl, issuer, ask, redeem, tokensBy, inform, clientId: application.clientId }
  }

  // Guards: proofs-of-possession
  it('are accepted once of many times at once, at whichever node', async () => {
    const { own, infoUrl, tokensBy, inform, tokenUrl, redeem } = await world()
    const { access_token: token, token_type: type } = await tokensBy(own)
    assert.equal(type, 'DPoP')
    const proof = await proofBy(own, { url: infoUrl, token })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => inform(nodes().inTurn(n), token, proof)))
    assert.equal(answers.filter(Boolean).length, 1)
    for (const node of [nodes().one, nodes().other]) assert.equal(await inform(node, token, proof), false)
    const forTokens = await proofBy(own, { url: tokenUrl, method: 'POST' })
    assert.equal((await redeem(nodes().one, forTokens)).status, 200)
    for (const node of [nodes().one, nodes().other]) assert.equal((await redeem(node, forTokens)).status, 400)
  })

  // Guards: proofs-of-possession
  it('are refused for another request, another token, another key, at another time, or in another form', async () => {
    const { own, other, infoUrl, tokenUrl, issuer, tokensBy, inform } = await world()
    const { access_token: token } = await tokensBy(own)
    const second = await tokensBy(own)
    const now = Math.floor(Date.now() / 1000)
    const about = { url: infoUrl, token }
    const wrong: Readonly<Record<string, string>> = {
      'another address': await proofBy(own, { ...about, url: tokenUrl }),
      'another tenant': await proofBy(own, { ...about, url: infoUrl.replace(new URL(issuer).pathname, '/t/another') }),
      'another host': await proofBy(own, { ...about, url: infoUrl.replace(new URL(issuer).host, 'elsewhere.example') }),
      'another method': await proofBy(own, { ...about, method: 'POST' }),
      'another token': await proofBy(own, { ...about, token: second.access_token }),
      'no token': await proofBy(own, { url: infoUrl }),
      'another key': await proofBy(other, about),
      'the key of another in its header': await proofBy(other, {
        ...about,
        header: { jwk: await exportJWK(own.publicKey) },
      }),
      'a private key in its header': await proofBy(own, {
        ...about,
        header: { jwk: { ...(await exportJWK(own.publicKey)), d: 'AA' } },
      }),
      'an old time': await proofBy(own, { ...about, claims: { iat: now - 600 } }),
      'a time to come': await proofBy(own, { ...about, claims: { iat: now + 600 } }),
      'no time': await proofBy(own, { ...about, claims: { iat: undefined } }),
      'no id': await proofBy(own, { ...about, claims: { jti: undefined } }),
      'another type': await proofBy(own, { ...about, header: { typ: 'JWT' } }),
      'no signature': `${(await proofBy(own, about)).split('.').slice(0, 2).join('.')}.`,
      nothing: '',
    }
    for (const [what, proof] of Object.entries(wrong)) {
      for (const node of [nodes().one, nodes().other]) assert.equal(await inform(node, token, proof), false, what)
    }
    for (const node of [nodes().one, nodes().other]) {
      assert.equal(await inform(node, token, await proofBy(own, about), 'Bearer'), false)
      assert.equal(await inform(node, token, await proofBy(own, about)), true)
    }
  })

  // Guards: proofs-of-possession
  it('of another key redeem no refresh token, and without one none is redeemed', async () => {
    const { own, other, tokenUrl, tokensBy, ask, clientId } = await world()
    const { refresh_token } = await tokensBy(own)
    const refresh = async (node: TestService, keys?: Keys) => {
      const dpop = keys === undefined ? {} : { dpop: await proofBy(keys, { url: tokenUrl, method: 'POST' }) }
      const answer = await ask(
        node,
        tokenUrl,
        { ...form, ...dpop },
        { client_id: clientId, grant_type: 'refresh_token', refresh_token },
      )
      return answer.status
    }
    for (const node of [nodes().one, nodes().other]) {
      assert.equal(await refresh(node, other), 400)
      assert.equal(await refresh(node), 400)
    }
    assert.equal(await refresh(nodes().other, own), 200)
  })
})
