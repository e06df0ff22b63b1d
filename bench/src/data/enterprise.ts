// An organization of the main tenant with a proved domain and live connections, whose providers this process plays.
import type { FakeIdentityProvider } from '@bailiwick/server/test/harness/outside/fake-identity-provider.ts'
import { unique } from '../load/bodies.ts'
import { openBulkEngine } from './bulk-engine.ts'
import type { Dataset } from './dataset.ts'

const api = '/api/v0'
const longAgo = '2026-01-01T00:00:00.000000Z'
export const returnUri = 'http://localhost:3000/back'

/** Calls an operation of the management interface as the tenant, outside of what is measured. */
export async function manage<Answer>(
  { main }: Pick<Dataset, 'main'>,
  port: number,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${main.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${await response.text()}`)
  return (await response.json()) as Answer
}

export interface Connected {
  readonly id: string
  readonly saml: { readonly ownEntityId: string; readonly acsUrl: string } | null
}

export interface Enterprise {
  readonly organizationId: string
  readonly domain: string
  readonly oidc: Connected
  readonly saml: Connected
}

/** @param certificate of the SAML provider, as PEM. */
export async function createEnterprise(
  dataset: Dataset,
  port: number,
  idp: Pick<FakeIdentityProvider, 'issuer' | 'clientId'>,
  saml: { readonly entityId: string; readonly certificate: string },
): Promise<Enterprise> {
  const tenantId = dataset.main.id
  const call = <Answer>(method: string, path: string, body?: object) =>
    manage<Answer>(dataset, port, method, path, body)
  await call('PUT', `/auth/tenants/${tenantId}`, { redirectUris: [returnUri] })
  const { id: organizationId } = await call<{ id: string }>('POST', '/auth/organizations', { tenantId, name: 'Acme' })
  const domain = `${unique()}.example`
  await call('POST', `/auth/organizations/${organizationId}/domains`, { name: domain })
  const connect = (type: 'oidc' | 'saml', settings: object) =>
    call<Connected>('POST', '/auth/connections', { organizationId, type, name: type, [type]: settings })
  const oidc = await connect('oidc', { issuer: idp.issuer, clientId: idp.clientId, clientSecret: 'secret' })
  const { entityId, certificate } = saml
  const settings = { entityId, ssoUrl: 'https://idp.example/sso', certificates: [certificate] }
  const bySaml = await connect('saml', settings)
  const engine = await openBulkEngine(dataset.store)
  await engine.run(`UPDATE organization_domains SET verified_at = '${longAgo}', dns_verified_at = '${longAgo}'
    WHERE organization_id = '${organizationId}'`)
  await engine.run(`UPDATE connections SET state = 'live', tested_at = '${longAgo}'
    WHERE organization_id = '${organizationId}'`)
  await engine.finish()
  // The nodes forget what they remember of the tenant.
  await call('PUT', `/auth/connections/${oidc.id}`, { name: 'OpenID Connect' })
  return { organizationId, domain, oidc, saml: bySaml }
}
