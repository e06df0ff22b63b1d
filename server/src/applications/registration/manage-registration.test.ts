// A client that has registered itself manages its registration with a token of its own (RFC 7592).
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTenant } from '../../../test/harness/factories.ts'
import { issuerOf } from '../../../test/harness/people/authorization.ts'
import { describeService } from '../../../test/harness/service.ts'

type Metadata = Record<string, unknown>

describeService('a registration that its client manages', (service) => {
  const world = async () => {
    const { tenant } = await createTenant(service(), { environment: 'production' })
    await service().ok('putOAuthSettings', { params: { id: tenant.id }, body: { registrationEnabled: true } })
    const { token } = await service().ok<{ token: string }>('createRegistrationToken', { params: { id: tenant.id } })
    return { tenant, token }
  }
  type World = Awaited<ReturnType<typeof world>>
  const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', address: string, token?: string, payload?: object) => {
    const { pathname, host } = new URL(address)
    const answer = await service().app.inject({
      method,
      url: pathname,
      headers: { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(payload === undefined ? {} : { payload }),
    })
    const body = answer.body === '' ? undefined : (JSON.parse(answer.body) as Metadata)
    return { status: answer.statusCode, headers: answer.headers, body: body ?? {} }
  }
  const metadata = {
    client_name: 'Notes',
    redirect_uris: ['https://notes.example/callback'],
    client_uri: 'https://notes.example/',
    policy_uri: 'https://notes.example/privacy',
  }
  const register = async ({ tenant, token }: World, change: object = {}) => {
    const address = `${issuerOf(service(), tenant.id)}/oauth/register`
    const { status, body } = await send('POST', address, token, { ...metadata, ...change })
    assert.equal(status, 201, JSON.stringify(body))
    return {
      at: String(body['registration_client_uri']),
      token: String(body['registration_access_token']),
      id: String(body['client_id']),
      secret: body['client_secret'],
    }
  }
  const numberOfApplications = async ({ tenant }: World) => {
    const { meta } = await service().ok<{ meta: { total: number } }>('listApplications', {
      params: { tenantId: tenant.id },
    })
    return meta.total
  }

  it('is read with its token', async () => {
    const of = await world()
    const made = await register(of)
    assert.equal(made.at, `${issuerOf(service(), of.tenant.id)}/oauth/register/${made.id}`)
    const { status, headers, body } = await send('GET', made.at, made.token)
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.deepEqual(
      [body['client_id'], body['client_name'], body['client_uri'], body['registration_access_token']],
      [made.id, 'Notes', 'https://notes.example/', made.token],
    )
    // Only its hash is known.
    assert.equal(body['client_secret'], undefined)
  })

  it('is replaced as a whole, and its token with it', async () => {
    const of = await world()
    const made = await register(of)
    const next = { client_id: made.id, client_name: 'Notes 2', redirect_uris: ['https://notes.example/2'] }
    const { status, body } = await send('PUT', made.at, made.token, { ...next, client_secret: made.secret })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body['client_name'], body['redirect_uris'], body['policy_uri'], body['client_uri']],
      ['Notes 2', next.redirect_uris, undefined, undefined],
    )
    const token = String(body['registration_access_token'])
    assert.notEqual(token, made.token)
    assert.equal((await send('GET', made.at, made.token)).status, 401)
    assert.equal((await send('GET', made.at, token)).body['client_name'], 'Notes 2')
    const { data } = await service().ok<{ data: { type: string }[] }>('listEvents', {
      params: { tenantId: of.tenant.id },
      query: { type: 'application.updated' },
    })
    assert.equal(data.length, 1)
  })

  it('is not replaced by what is wrong, foreign or of another kind', async () => {
    const of = await world()
    const made = await register(of)
    const whole = { ...metadata, client_id: made.id, client_name: 'Other' }
    const refused: [change: object, description: RegExp][] = [
      [{ client_id: undefined }, /^client_id /],
      [{ client_id: (await register(of)).id }, /^client_id /],
      [{ registration_access_token: made.token }, /^registration_access_token must not be sent/],
      [{ client_id_issued_at: 1 }, /^client_id_issued_at must not be sent/],
      [{ client_secret: 'as_guessed' }, /^client_secret /],
      [{ token_endpoint_auth_method: 'none' }, /^application_type /],
      [{ id_token_signed_response_alg: 'HS256' }, /^id_token_signed_response_alg/],
      [{ redirect_uris: ['http://notes.example/'] }, /^redirect_uris/],
      [{ grant_types: ['client_credentials'] }, /^grant_types/],
    ]
    for (const [change, description] of refused) {
      const { status, body } = await send('PUT', made.at, made.token, { ...whole, ...change })
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(String(body['error_description']), description)
    }
    assert.equal((await send('GET', made.at, made.token)).body['client_name'], 'Notes')
  })

  it('is replaced by one of several at the same moment', async () => {
    const made = await register(await world())
    const names = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      names.map((name) => send('PUT', made.at, made.token, { ...metadata, client_id: made.id, client_name: name })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 401, 401, 401],
    )
    const { body } = answers.find(({ status }) => status === 200) ?? assert.fail()
    const now = await send('GET', made.at, String(body['registration_access_token']))
    assert.equal(now.body['client_name'], body['client_name'])
  })

  it('is deleted with its token, once', async () => {
    const of = await world()
    const made = await register(of)
    assert.equal(await numberOfApplications(of), 1)
    assert.equal((await send('DELETE', made.at, `${made.token}x`)).status, 401)
    const { status, body } = await send('DELETE', made.at, made.token)
    assert.deepEqual([status, body], [204, {}])
    assert.equal(await numberOfApplications(of), 0)
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await send(method, made.at, made.token)).status, 401)
  })

  it('is closed to every other token, and while registration is off', async () => {
    const [of, other] = [await world(), await world()]
    const [made, sibling, stranger] = [await register(of), await register(of), await register(other)]
    const whole = { ...metadata, client_id: made.id, client_name: 'Taken' }
    for (const token of [undefined, of.token, String(made.secret), sibling.token, stranger.token]) {
      for (const [method, body] of [
        ['GET', undefined] as const,
        ['PUT', whole] as const,
        ['DELETE', undefined] as const,
      ]) {
        const { status, headers } = await send(method, made.at, token, body)
        assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer error="invalid_token"'], method)
      }
    }
    // An application of the tenant has no such token, and none that belongs to another tenant is found.
    const foreign = made.at.replace(of.tenant.id, other.tenant.id)
    assert.equal((await send('GET', foreign, made.token)).status, 401)
    await service().ok('putOAuthSettings', { params: { id: of.tenant.id }, body: { registrationEnabled: false } })
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      assert.equal((await send(method, made.at, made.token, method === 'PUT' ? whole : undefined)).status, 404)
    }
  })
})
