// The configuration of the engine. Everything that depends on the tenant reads the tenancy of the request.
import { idTokenAlgorithms } from '@bailiwick/contract'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { hostedRootOfId } from '../../../tenancy/tenants/hosted-pages.ts'
import { showError, showLogout, showSignedOut } from '../engine-pages.ts'
import { paths } from '../paths.ts'
import { StoreAdapter } from '../requests/adapter.ts'
import { inTenantTime, secondsAhead } from '../requests/engine-time.ts'
import { currentTenancy } from '../tenancy.ts'
import { claimsOfToken } from '../tokens/custom-claims.ts'
import { mayIntrospect } from '../tokens/introspection.ts'
import { isForMachine, machineResource, resourceOfUser, resourceServerInfo } from '../tokens/resource-servers.ts'
import { answerOfRotation } from '../tokens/rotation.ts'
import { actOf, isExchanged } from '../tokens/token-exchange.ts'
import { accessClaims, accountOf, withinRights } from './accounts.ts'
import { allowedOrigins, applicationOf } from './clients.ts'
import { loadGrant } from './consents.ts'
import { fetchOutside } from './fetch-outside.ts'
import { acrValues } from './metadata.ts'
import { createPolicy } from './prompts.ts'
import { checkRequest } from './request-checks.ts'
import { claimsByScope } from './requested-claims.ts'

const localesLengthMax = 200

/**
 * The page that an interaction leads to. Its address contains only the interaction, the application and, on the hosted pages, the
 * languages that the application requests.
 */
function interactionAddress(ctx: KoaContextWithOIDC, { uid, prompt }: { uid: string; prompt: { name: string } }) {
  const { deps, tenant, issuer } = currentTenancy()
  const root = issuer.domain === null ? hostedRootOfId(deps.config, tenant.row.id) : issuer.id
  const { signInUri, signUpUri } = tenant.auth
  const [own, page] =
    prompt.name === 'consent'
      ? [null, '/consent']
      : prompt.name === 'create'
        ? [signUpUri, '/sign-up']
        : [signInUri, '/sign-in']
  const address = new URL(own ?? root + page)
  address.searchParams.set('interaction', uid)
  // Names the application when its request is over.
  const application = applicationOf(ctx.oidc.client)
  if (application !== undefined) address.searchParams.set('client_id', application.row.client_id)
  const locales = ctx.oidc.params?.['ui_locales']
  if (own === null && typeof locales === 'string' && locales !== '') {
    address.searchParams.set('ui_locales', locales.slice(0, localesLengthMax))
  }
  return address.href
}

const accessTokenSeconds = (
  { oidc }: KoaContextWithOIDC,
  token: {
    readonly accountId?: string
    readonly grantId?: string
    readonly resourceServer?: { readonly accessTokenTTL?: number }
  },
  client: object,
) =>
  withinRights(
    token.resourceServer?.accessTokenTTL ??
      applicationOf(client)?.row.access_token_ttl ??
      currentTenancy().settings.accessTokenTtl,
    token.grantId ?? oidc.entities.Grant?.jti,
    token.accountId ?? oidc.entities.Account?.accountId,
  )

const secondsOfDay = 24 * 60 * 60

/** A session of the engine ends with the user's session that it was made from, which is checked whenever it is read. */
const sessionSeconds = 365 * secondsOfDay

export const configuration: Configuration = {
  adapter: StoreAdapter,
  formats: {
    customizers: {
      jwt: (_ctx, _token, jwt) => {
        jwt.payload = inTenantTime(jwt.payload)
      },
    },
  },
  routes: { ...paths },
  responseTypes: ['code'],
  scopes: ['openid', 'offline_access'],
  claims: claimsByScope,
  acrValues: [...acrValues],
  subjectTypes: ['public'],
  conformIdTokenClaims: false,
  allowOmittingSingleRegisteredRedirectUri: false,
  // For clients whose document names no algorithm.
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  enabledJWA: {
    clientAuthSigningAlgValues: ['ES256', 'PS256', 'RS256', 'EdDSA'],
    idTokenSigningAlgValues: [...idTokenAlgorithms],
    requestObjectSigningAlgValues: ['ES256', 'PS256', 'RS256', 'EdDSA'],
    dPoPSigningAlgValues: ['ES256', 'EdDSA'],
    userinfoSigningAlgValues: ['ES256'],
    introspectionSigningAlgValues: ['ES256'],
    authorizationSigningAlgValues: ['ES256'],
  },
  pkce: {
    required: (_ctx, client) =>
      (applicationOf(client)?.row.require_pkce ?? 1) === 1 || client.clientAuthMethod === 'none',
  },
  cookies: {
    names: { session: '__Host-oauth', interaction: '__Secure-oauth-interaction', resume: '__Secure-oauth-resume' },
    long: { signed: false, httpOnly: true, secure: true, sameSite: 'lax', path: '/', overwrite: true },
    short: { signed: false, httpOnly: true, secure: true, sameSite: 'lax', overwrite: true },
  },
  features: {
    devInteractions: { enabled: false },
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    clientCredentials: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: mayIntrospect,
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    userinfo: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    dPoP: { enabled: true },
    requestObjects: { enabled: true },
    // The engine's session ends with the user's session that it was made from, which also notifies the applications: see logout/.
    backchannelLogout: { enabled: false },
    rpInitiatedLogout: { enabled: true, logoutSource: showLogout, postLogoutSuccessSource: showSignedOut },
    claimsParameter: { enabled: true },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx, _client, oneOf) => (isForMachine(ctx) ? machineResource(ctx) : resourceOfUser(ctx, oneOf)),
      useGrantedResource: () => false,
      getResourceServerInfo: resourceServerInfo,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: () => currentTenancy().settings.row?.metadata_documents_enabled === 1,
      allowClient: () => currentTenancy().settings.row?.metadata_documents_enabled === 1,
    },
  },
  // The check runs for every request, whether it names an organization or not.
  extraParams: { organization: checkRequest },
  extraClientMetadata: { properties: [] },
  fetch: fetchOutside as Configuration['fetch'],
  async findAccount(ctx, sub, token) {
    const familyOfToken = () => (token as { grantId?: string } | undefined)?.grantId ?? ctx.oidc.entities.Grant?.jti
    const source = token as { readonly kind?: string; readonly consumed?: unknown; readonly jti?: string } | undefined
    if (source?.kind === 'RefreshToken' && source.consumed !== undefined && source.jti !== undefined) {
      answerOfRotation(source.jti)
    }
    return accountOf(sub, familyOfToken, token !== undefined)
  },
  async extraTokenClaims(ctx, token) {
    // oidc-provider's types leave out these members.
    const { accountId, clientId, grantId, scopes, aud, sid, expiresWithSession } = token as unknown as {
      accountId?: string
      clientId?: string
      grantId?: string
      scopes: Set<string>
      aud?: string
      sid?: string
      expiresWithSession?: boolean
    }
    if (aud === undefined || accountId === undefined) return undefined
    // These two tell a token exchange whether the token's grant or session has ended.
    const isBound = sid !== undefined && (expiresWithSession === true || isExchanged(ctx))
    const belongsTo = { ...(grantId === undefined ? {} : { gid: grantId }), ...(isBound ? { sid } : {}) }
    const act = actOf(ctx)
    const issued = { userId: accountId, clientId, grantId, audience: aud, scopes }
    const own = await claimsOfToken(ctx, 'access', issued)
    return {
      ...own,
      ...(await accessClaims(accountId, grantId, scopes)),
      ...belongsTo,
      ...(act === undefined ? {} : { act }),
    }
  },
  loadExistingGrant: loadGrant,
  expiresWithSession: (_ctx, source) => !source.scopes.has('offline_access'),
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken(ctx) {
    const { client } = ctx.oidc
    return client?.clientAuthMethod === 'none' || (applicationOf(client)?.row.refresh_token_rotation ?? 1) === 1
  },
  interactions: { url: interactionAddress, policy: createPolicy() },
  renderError: showError,
  clientBasedCORS: (_ctx, origin, client) => {
    const record = applicationOf(client)
    return record !== undefined && allowedOrigins(record.row).includes(origin)
  },
  ttl: {
    AccessToken: accessTokenSeconds as never,
    ClientCredentials: accessTokenSeconds as never,
    // Absolute: a token that replaces another one expires when that one would have expired.
    RefreshToken: ((ctx: KoaContextWithOIDC, _token: object, client: object) =>
      ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ??
      applicationOf(client)?.row.refresh_token_ttl ??
      currentTenancy().settings.refreshTokenTtl) as never,
    IdToken(ctx: KoaContextWithOIDC) {
      const { idTokenTtl } = currentTenancy().settings
      const { Grant, Account } = ctx.oidc.entities
      return withinRights(idTokenTtl, Grant?.jti, Account?.accountId) + secondsAhead()
    },
    AuthorizationCode: 60,
    DeviceCode: 600,
    Interaction: 1800,
    Session: sessionSeconds,
    Grant: sessionSeconds,
  },
}
