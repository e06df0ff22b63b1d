// Applications of a tenant and what their users' browsers do at the authorization server, for tests.
import { randomBytes } from 'node:crypto'
import * as client from 'openid-client'
import { applicationSecrets, applications } from '../../../src/applications/applications/tables.ts'
import type { MachineScopes } from '../../../src/applications/resources/scopes-of-resources.ts'
import { resources } from '../../../src/applications/resources/tables.ts'
import { oauthSettings } from '../../../src/applications/settings/tables.ts'
import { invalidateTenant } from '../../../src/platform/cache/invalidation.ts'
import { hashToken, newToken } from '../../../src/platform/crypto/tokens.ts'
import { addToCounters } from '../../../src/platform/db/counters.ts'
import type { Statement } from '../../../src/platform/db/sql.ts'
import { type TenantId, newId } from '../../../src/platform/ids.ts'
import { toJson } from '../../../src/platform/json-text.ts'
import type { Browser } from '../browser/frontend.ts'
import type { TestService } from '../service.ts'

export const callbackUri = 'https://app.example/callback'
export const signedOutUri = 'https://app.example/signed-out'

export interface TestApplication {
  readonly id: string
  readonly clientId: string
  readonly secret: string
}

async function write({ deps }: TestService, tenantId: TenantId, statements: readonly Statement[], count?: string) {
  await deps.db.transaction(async (tx) => {
    for (const statement of statements) await tx.run(statement)
    if (count !== undefined) await tx.run(addToCounters(tx, tenantId, { [count]: 1 }))
    await invalidateTenant(tx, deps.tenants, tenantId)
  })
}

interface Options {
  readonly type?: 'web' | 'spa' | 'native' | 'machine' | 'device'
  readonly isTrusted?: boolean
  readonly grantTypes?: readonly string[]
  readonly machineScopes?: readonly MachineScopes[]
  readonly backchannelLogoutUri?: string
  readonly redirectUris?: readonly string[]
  readonly accessTokenFormat?: 'jwt' | 'opaque'
  readonly exchangeFrom?: readonly string[]
  readonly exchangeTo?: readonly string[]
  readonly requireSecondFactor?: boolean
}

export async function createApplication(
  service: TestService,
  tenantId: string,
  { type = 'web', isTrusted = true, ...options }: Options = {},
): Promise<TestApplication> {
  const { clock } = service.deps
  const id = newId<'ApplicationId'>()
  const place = { tenant_id: tenantId as TenantId, created_at: clock.next(), updated_at: clock.now() }
  const isPublic = type === 'spa' || type === 'native' || type === 'device'
  const secret = newToken('as_')
  const row = applications.insert({
    ...place,
    id,
    client_id: id,
    origin: 'manual',
    name: `Application ${id.slice(-4)}`,
    type,
    redirect_uris: toJson(options.redirectUris ?? (type === 'machine' || type === 'device' ? [] : [callbackUri])),
    post_logout_redirect_uris: toJson([signedOutUri]),
    cors_origins: toJson(['https://app.example']),
    grant_types: toJson(
      options.grantTypes ?? (type === 'machine' ? ['client_credentials'] : ['authorization_code', 'refresh_token']),
    ),
    backchannel_logout_uri: options.backchannelLogoutUri ?? null,
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_basic',
    access_token_format: options.accessTokenFormat ?? 'jwt',
    refresh_token_rotation: 1,
    require_pkce: 1,
    require_consent: isTrusted ? 0 : 1,
    require_second_factor: options.requireSecondFactor === true ? 1 : 0,
    machine_scopes: toJson(options.machineScopes ?? []),
    exchange_from: toJson(options.exchangeFrom ?? []),
    exchange_to: toJson(options.exchangeTo ?? []),
  })
  const hashed = applicationSecrets.insert({
    ...place,
    created_at: clock.next(),
    id: newId<'ApplicationSecretId'>(),
    application_id: id,
    hash: hashToken(secret),
    last4: secret.slice(-4),
  })
  await write(service, tenantId as TenantId, isPublic ? [row] : [row, hashed], 'applications')
  return { id, clientId: id, secret: isPublic ? '' : secret }
}

export async function createResource(
  service: TestService,
  tenantId: string,
  {
    scopes = ['articles:read', 'articles:write'],
    format = 'jwt',
  }: { scopes?: string[]; format?: 'jwt' | 'opaque' } = {},
) {
  const { clock } = service.deps
  const id = newId<'ResourceId'>()
  const indicator = `https://api.example/${id}`
  const row = resources.insert({
    tenant_id: tenantId as TenantId,
    id,
    indicator,
    name: 'Articles',
    scopes: toJson(scopes.map((name) => ({ name, description: null }))),
    access_token_format: format,
    created_at: clock.next(),
    updated_at: clock.now(),
  })
  await write(service, tenantId as TenantId, [row], 'resources')
  return { id, indicator }
}

export async function setOAuthSettings(
  service: TestService,
  tenantId: string,
  settings: Partial<Parameters<typeof oauthSettings.insert>[0]>,
) {
  const at = service.deps.clock.next()
  const row = { tenant_id: tenantId as TenantId, created_at: at, updated_at: at, ...settings }
  await write(service, tenantId as TenantId, [oauthSettings.insert(row)])
}

export const issuerOf = (service: TestService, tenantId: string) =>
  `${new URL(service.deps.config.baseUrl).origin}/t/${tenantId}`

/** Sends what a client library fetches to the service in this process. */
export const fetchFrom =
  (service: TestService): client.CustomFetch =>
  async (url, { body, headers, method }) => {
    const { host, pathname, search } = new URL(url)
    const answer = await service.app.inject({
      method: (method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: { ...headers, host },
      ...(body instanceof URLSearchParams ? { payload: body.toString() } : {}),
    })
    const sent = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const each of [value ?? []].flat()) sent.append(name, String(each))
    }
    return new Response(answer.body === '' ? null : answer.body, { status: answer.statusCode, headers: sent })
  }

/** The application as a relying party, by an independent library. */
export async function relyingParty(service: TestService, tenantId: string, { clientId, secret }: TestApplication) {
  const options = { [client.customFetch]: fetchFrom(service), execute: [client.allowInsecureRequests] }
  const method = secret === '' ? client.None() : client.ClientSecretBasic(secret)
  return client.discovery(new URL(issuerOf(service, tenantId)), clientId, {}, method, options)
}

/** A browser at the authorization server: keeps its cookies, and asks for pages on the deployment's own address. */
export class VisitingBrowser {
  readonly cookies = new Map<string, { value: string; path: string }>()
  readonly service: TestService
  constructor(service: TestService) {
    this.service = service
  }

  async send(method: 'GET' | 'POST', address: string | URL, payload?: URLSearchParams, headers: object = {}) {
    const { pathname, search, host } = new URL(address)
    const cookie = [...this.cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const answer = await this.service.app.inject({
      method,
      url: pathname + search,
      headers: {
        host,
        ...(cookie === '' ? {} : { cookie }),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload: payload.toString() }),
    })
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(set) ?? []
      const path = /path=([^;]+)/i.exec(rest)?.[1] ?? '/'
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, { value, path })
    }
    return answer
  }

  visit(address: string | URL, headers: object = {}) {
    return this.send('GET', address, undefined, headers)
  }
}

export interface Authorization {
  readonly rp: client.Configuration
  readonly url: URL
  readonly checks: client.AuthorizationCodeGrantChecks
}

export async function beginAuthorization(
  rp: client.Configuration,
  parameters: Record<string, string> = {},
): Promise<Authorization> {
  const verifier = client.randomPKCECodeVerifier()
  const state = randomBytes(8).toString('hex')
  const nonce = randomBytes(8).toString('hex')
  const url = client.buildAuthorizationUrl(rp, {
    redirect_uri: callbackUri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  return { rp, url, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } }
}

export const interactionOf = (location: unknown) => new URL(String(location)).searchParams.get('interaction') ?? ''

/** Goes through the authorization, signing in and consenting as the user of the other browser, until it is back at the application. */
export async function authorize(
  visiting: VisitingBrowser,
  user: Browser,
  { url }: Authorization,
  consent?: { readonly scopes: readonly string[]; readonly organizationId?: string },
): Promise<URL> {
  let answer = await visiting.visit(url)
  for (let steps = 0; steps < 4; steps++) {
    const location = String(answer.headers['location'])
    if (answer.statusCode !== 303) throw new Error(`${answer.statusCode} ${answer.body}`)
    if (location.startsWith(callbackUri)) return new URL(location)
    const uid = interactionOf(location)
    const { interaction } = await user.ok<{ interaction: { prompt: string } }>('getOAuthInteraction', {
      params: { uid },
    })
    const { redirectUri } = await (interaction.prompt === 'login'
      ? user.ok<{ redirectUri: string }>('loginOAuthInteraction', { params: { uid } })
      : user.ok<{ redirectUri: string }>('consentOAuthInteraction', {
          params: { uid },
          body: consent ?? { scopes: [] },
        }))
    answer = await visiting.visit(redirectUri)
  }
  throw new Error('the authorization does not end')
}
