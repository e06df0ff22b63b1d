// Every connection against every other: of the same organization, of its neighbour, and of another tenant.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Connection, ConnectionCheck, UserConnection } from '@bailiwick/contract'
import { Browser } from '../harness/browser/frontend.ts'
import { createConnection, createTenant, createUser, testPages, unique } from '../harness/factories.ts'
import { FakeIdentityProvider } from '../harness/outside/fake-identity-provider.ts'
import { connectedOrganization, createEnterpriseWorld, leave, makeLive, staff } from '../harness/people/enterprise.ts'
import { errorOf, locationOf, whoIs } from '../harness/people/social-sign-in.ts'
import { type TestService, describeService } from '../harness/service.ts'

interface Cell {
  readonly publicKey: string
  readonly organizationId: string
  readonly domain: string
  readonly connection: Connection
}

/** Two tenants, with two organizations each, with two connections each. All lead to one client of one provider, which tells none apart. */
async function createCells(service: TestService, idp: FakeIdentityProvider): Promise<Cell[]> {
  const cells: Cell[] = []
  const oidc = { issuer: idp.issuer, clientId: idp.clientId, clientSecret: 'secret' }
  for (const _ of ['first tenant', 'second tenant']) {
    const { tenant } = await createTenant(service)
    await service.ok('putAuthTenant', { params: { id: tenant.id }, body: { redirectUris: testPages } })
    for (const __ of ['first organization', 'second organization']) {
      const { organization, domain, connection } = await connectedOrganization(service, tenant.id, idp)
      const second = await createConnection(service, organization.id, { oidc })
      await makeLive(service, second)
      const shared = { publicKey: tenant.publicKey, organizationId: organization.id, domain }
      cells.push({ ...shared, connection }, { ...shared, connection: second })
    }
  }
  return cells
}

describeService('connections of two tenants, two organizations each, two connections each', (service) => {
  const idp = new FakeIdentityProvider()
  before(() => idp.start())
  after(() => idp.stop())

  const begin = ({ publicKey, domain, connection }: Cell, browser = new Browser(service(), publicKey)) =>
    leave(browser, `${unique()}@${domain}`, { connectionId: connection.id }).then((left) => ({ ...left, browser }))

  // Guards: enterprise-mix-up
  it('accept no answer that was asked for at another', async () => {
    const cells = await createCells(service(), idp)
    const accepted: [number, number][] = []
    for (const [from, asked] of cells.entries()) {
      for (const [to, { connection }] of cells.entries()) {
        const { browser, authorizeUri } = await begin(asked)
        const back = idp.agree(authorizeUri, staff(asked.domain))
        back.pathname = back.pathname.replace(asked.connection.id, connection.id)
        await browser.visit(back)
        if ((await browser.call('getProfile')).status === 200) accepted.push([from, to])
      }
    }
    const same = cells.map((_, index): [number, number] => [index, index])
    assert.deepEqual(accepted, same)
  })

  // Guards: enterprise-subjects
  it('know the same subject as another person each', async () => {
    const cells = await createCells(service(), idp)
    const sub = `sub-${unique()}`
    const enter = async (cell: Cell) => {
      const { browser, authorizeUri } = await begin(cell)
      await browser.visit(idp.agree(authorizeUri, staff(cell.domain, { sub })))
      return (await whoIs(browser)).id
    }
    const first: string[] = []
    for (const cell of cells) first.push(await enter(cell))
    assert.equal(new Set(first).size, cells.length)
    const again: string[] = []
    for (const cell of cells) again.push(await enter(cell))
    assert.deepEqual(again, first)
    for (const [index, userId] of first.entries()) {
      const listed = await service().ok<UserConnection[]>('listConnectionsOfUser', { params: { userId } })
      assert.deepEqual(
        listed.map((each) => [each.connectionId, each.organizationId]),
        [[cells[index]?.connection.id, cells[index]?.organizationId]],
      )
    }
  })

  // Guards: enterprise-domains
  it('believe their provider about the domain of their own organization alone', async () => {
    const cells = await createCells(service(), idp)
    const believed: string[] = []
    for (const asserting of cells) {
      for (const owner of cells) {
        const email = `${unique()}@${owner.domain}`
        const victim = await createUser(service(), owner.connection.tenantId, { email })
        await service().ok('verifyEmailAddress', { body: { id: victim.primaryEmailId } })
        const { browser, authorizeUri } = await begin(asserting)
        const at = locationOf(
          await browser.visit(idp.agree(authorizeUri, staff(asserting.domain, { email, email_verified: true }))),
        )
        const isOwn = asserting.organizationId === owner.organizationId
        if (errorOf(at) === null)
          believed.push(`${isOwn ? 'own' : 'foreign'} ${(await whoIs(browser)).id === victim.id}`)
      }
    }
    assert.deepEqual(
      believed,
      Array.from({ length: 16 }, () => 'own true'),
    )
  })
})

describeService('what a connection makes the service fetch', (service) => {
  /** On Linux this address leads to the machine itself, like 127.0.0.1, but nobody may call it, in development neither. */
  const forbidden = ({ issuer }: FakeIdentityProvider) => issuer.replace('127.0.0.1', '0.0.0.0')
  const inside = new FakeIdentityProvider()
  before(() => inside.start())
  after(() => inside.stop())

  // Better Auth GHSA-5rr4-8452-hf4v, Logto CVE-2026-56739.
  // Guards: enterprise-egress
  it('is at no address that the deployment keeps to itself, whichever part of the provider’s description names it', async () => {
    for (const name of ['jwks_uri', 'token_endpoint', 'userinfo_endpoint', 'issuer']) {
      const idp = new FakeIdentityProvider()
      await idp.start()
      try {
        const { connection, browser, domain } = await createEnterpriseWorld(service(), idp)
        const { sub } = staff(domain)
        idp.describe = (metadata) => ({ ...metadata, [name]: `${forbidden(inside)}/${name}` })
        const begun = await browser.call<{ authorizeUri?: string }>('createSignIn', {
          body: { identifier: `${unique()}@${domain}`, strategy: 'enterprise', redirectUri: testPages[0] },
        })
        const { authorizeUri } = begun.body.data ?? {}
        if (authorizeUri !== undefined) await browser.visit(idp.agree(authorizeUri, { sub }))
        await service().call('checkConnection', { params: { id: connection.id } })
        assert.equal(inside.connections, 0, name)
      } finally {
        await idp.stop()
      }
    }
    const { organization } = await connectedOrganization(service(), (await createTenant(service())).tenant.id, inside)
    const secure = forbidden(inside).replace('http:', 'https:')
    const oidc = { issuer: secure, clientId: 'client' }
    const { id } = await createConnection(service(), organization.id, { oidc })
    const { problem } = await service().ok<ConnectionCheck>('checkConnection', { params: { id } })
    assert.equal(problem, 'unreachable')
    const saml = { metadataUri: `${secure}/metadata` }
    const body = { organizationId: organization.id, type: 'saml', name: 'Staff', saml }
    assert.equal((await service().call('createConnection', { body })).status, 400)
    assert.equal(inside.connections, 0)
  })
})
