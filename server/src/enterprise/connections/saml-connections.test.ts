import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { it } from 'node:test'
import type { Connection, ErrorBody, SamlConnectionInput } from '@bailiwick/contract'
import { storedEvents } from '../../../test/harness/databases/stored.ts'
import { dumpTables } from '../../../test/harness/databases/table-dump.ts'
import { createOrganization, createTenant, createUser } from '../../../test/harness/factories.ts'
import { storeConnectionIdentity } from '../../../test/harness/people/connections.ts'
import { newProviderKey } from '../../../test/harness/saml/crafted-response.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'
import { fromMs } from '../../platform/clock.ts'
import { sql } from '../../platform/db/sql.ts'
import type { TenantId } from '../../platform/ids.ts'
import { announceCertificateEnd } from './certificate-notices.ts'
import { openConnectionKey } from './connection-secret.ts'
import { findConnection } from './find-connection.ts'

const key = newProviderKey()
const dayMs = 24 * 60 * 60_000
const bare = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')

const metadata = ({
  binding = 'HTTP-Redirect',
  certificates = [key.certificate],
  location = 'https://idp.example/sso',
}) =>
  `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example/saml">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${certificates
      .map(
        (pem) =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${bare(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join('')}
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

async function someOrganization(service: TestService) {
  const { tenant } = await createTenant(service)
  return { tenantId: tenant.id, organizationId: (await createOrganization(service, tenant.id)).id }
}

const create = (service: TestService, organizationId: string, saml?: SamlConnectionInput) =>
  service.ok<Connection>('createConnection', { body: { organizationId, type: 'saml', name: 'Acme SAML', saml } })

const update = (service: TestService, id: string, saml: SamlConnectionInput) =>
  service.call('updateConnection', { params: { id }, body: { saml } })

const listIssues = ({ status, body }: { status: number; body: unknown }) => {
  const { issues = [] } = body as ErrorBody
  return [status, ...issues.map(({ path, code }) => `${path} ${code}`)]
}

describeService('connections of SAML', (service) => {
  it('have a key that opens in its own row alone, also while it is kept', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id } = await create(service(), organizationId)
    const { db, sealer } = service().deps
    const row = (await findConnection(db, tenantId as TenantId, id)) ?? assert.fail()
    const kept = openConnectionKey(sealer, row)
    assert.equal(kept?.asymmetricKeyType, 'rsa')
    assert.equal(openConnectionKey(sealer, { ...row }), kept)
    const other = await create(service(), organizationId)
    const moved = { ...row, id: other.id as typeof row.id }
    assert.throws(() => openConnectionKey(sealer, moved), { name: 'SealError', code: 'refused' })
  })

  it('begin with what the provider needs to know, and take the provider’s metadata later', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const connection = await create(service(), organizationId)
    const root = new URL(`/t/${tenantId}/saml/${connection.id}`, service().deps.config.baseUrl).href
    const { ownCertificate, ...saml } = connection.saml ?? assert.fail()
    assert.deepEqual(saml, {
      entityId: null,
      ssoUrl: null,
      certificates: [],
      metadataUri: null,
      nameIdFormat: null,
      attributes: { email: null, name: null, givenName: null, familyName: null, groups: null },
      wantEncrypted: false,
      sloUrl: null,
      singleLogout: false,
      idpInitiated: false,
      ownEntityId: `${root}/metadata`,
      acsUrl: `${root}/acs`,
      ownSloUrl: `${root}/slo`,
    })
    assert.ok(new X509Certificate(ownCertificate).validToDate.getTime() > Date.now() + 3650 * dayMs)
    assert.equal(connection.oidc, null)
    const { status, body } = await update(service(), connection.id, { metadataXml: metadata({}) })
    assert.equal(status, 200)
    const { entityId, ssoUrl, certificates } = (body as Connection).saml ?? assert.fail()
    assert.deepEqual([entityId, ssoUrl], ['https://idp.example/saml', 'https://idp.example/sso'])
    const { fingerprint256, validToDate } = new X509Certificate(key.certificate)
    const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase()
    assert.deepEqual(certificates, [{ fingerprint, expiresAt: validToDate.toISOString().replace('Z', '000Z') }])
  })

  it('keep the private key sealed, out of every answer and event', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id } = await create(service(), organizationId, { metadataXml: metadata({}) })
    const answer = await service().call('getConnection', { params: { id } })
    assert.doesNotMatch(answer.text, /PRIVATE KEY/)
    assert.doesNotMatch(JSON.stringify(await storedEvents(service(), tenantId)), /PRIVATE KEY/)
    assert.doesNotMatch(JSON.stringify(await dumpTables(service().deps.db)), /PRIVATE KEY/)
  })

  it('refuse what is of no use, and say where', async () => {
    const { organizationId } = await someOrganization(service())
    const { id } = await create(service(), organizationId)
    const cases: readonly (readonly [SamlConnectionInput, string])[] = [
      [{ metadataXml: 'x' }, '/saml/metadataXml metadata'],
      [{ metadataXml: '<!DOCTYPE x><x/>' }, '/saml/metadataXml metadata'],
      [{ metadataXml: metadata({ binding: 'HTTP-POST' }) }, '/saml/metadataXml metadata'],
      [{ metadataXml: metadata({ certificates: [] }) }, '/saml/metadataXml metadata'],
      [{ metadataXml: metadata({ location: 'javascript:alert(1)' }) }, '/saml/metadataXml metadata'],
      [{ metadataXml: metadata({}), entityId: 'x' }, '/saml/metadataXml metadata_alone'],
      [{ metadataXml: metadata({}), metadataUri: 'https://idp.example/x' }, '/saml/metadataUri metadata_alone'],
      [{ certificates: ['none'] }, '/saml/certificates/0 certificate'],
      [{ singleLogout: true }, '/saml/singleLogout needs_slo_url'],
      [{ metadataXml: metadata({}), sloUrl: 'https://idp.example/slo' }, '/saml/metadataXml metadata_alone'],
    ]
    for (const [saml, issue] of cases) assert.deepEqual(listIssues(await update(service(), id, saml)), [400, issue])
    const oidc = { issuer: 'https://idp.example', clientId: 'x' }
    const other = await service().call('updateConnection', { params: { id }, body: { oidc } })
    assert.deepEqual(listIssues(other), [400, '/oidc other_type'])
  })

  it('keep their provider once somebody has signed in, and take its next certificate', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const { id } = await create(service(), organizationId, { metadataXml: metadata({}) })
    const user = await createUser(service(), tenantId)
    await storeConnectionIdentity(service(), { tenantId, organizationId, connectionId: id, userId: user.id })
    assert.deepEqual(listIssues(await update(service(), id, { entityId: 'https://other.example' })), [
      400,
      '/saml/entityId connection_in_use',
    ])
    const next = newProviderKey()
    const { body } = await update(service(), id, { certificates: [key.certificate, bare(next.certificate)] })
    assert.equal((body as Connection).saml?.certificates.length, 2)
  })

  it('cannot go live before a test has succeeded', async () => {
    const { organizationId } = await someOrganization(service())
    const { id } = await create(service(), organizationId, { metadataXml: metadata({}) })
    const { status } = await service().call('updateConnection', { params: { id }, body: { state: 'live' } })
    assert.equal(status, 409)
  })

  it('announce the end of their last certificate 30, 7 and 1 days before, once each', async () => {
    const { tenantId, organizationId } = await someOrganization(service())
    const end = new Date(Math.floor((service().deps.clock.nowMs() + 40 * dayMs) / 1000) * 1000)
    const last = newProviderKey(end)
    const first = newProviderKey(new Date(end.getTime() - 20 * dayMs))
    const certificates = [first.certificate, last.certificate]
    const { id } = await create(service(), organizationId, { metadataXml: metadata({ certificates }) })
    await service().deps.db.transaction((tx) => tx.run(sql`UPDATE connections SET state = 'live' WHERE id = ${id}`))
    const announced: unknown[] = []
    for (const days of [31, 29.5, 29, 8, 6.5, 2, 0.5, 0.1]) {
      const nowMs = end.getTime() - days * dayMs
      const clock = { ...service().deps.clock, nowMs: () => nowMs, now: () => fromMs(nowMs) }
      const run = () => announceCertificateEnd({ ...service().deps, clock })
      while (await run());
      await run()
      const events = await storedEvents(service(), tenantId)
      announced.push(events.filter(({ type }) => type === 'connection.certificate_expiring').length)
    }
    assert.deepEqual(announced, [0, 1, 1, 1, 2, 2, 3, 3])
  })
})
