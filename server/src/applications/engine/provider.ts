// The engine: one oidc-provider for all tenants, whose issuer, addresses, cookies and key are those of the tenant that the request is for.
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { type IdTokenAlgorithm, idTokenAlgorithms } from '@bailiwick/contract'
import { type JWTHeaderParameters, compactVerify, decodeJwt } from 'jose'
import OidcProvider, { ExternalSigningKey, type KoaContextWithOIDC, errors } from 'oidc-provider'
import { commitAnswer } from './commit-answer.ts'
import { useApplications } from './configuration/clients.ts'
import { configuration } from './configuration/configuration.ts'
import { claimsByScope } from './configuration/requested-claims.ts'
import { markFailed } from './failed-answers.ts'
import type { OAuthSigner } from './oauth-signers.ts'
import { secondsAhead } from './requests/engine-time.ts'
import { type RequestParameters, adaptParameters } from './requests/request-parameters.ts'
import { currentTenancy } from './tenancy.ts'
import { publicKeyOf } from './tokens/access-jwt.ts'
import { registerApiKeyGrant } from './tokens/api-key-grant.ts'
import { claimsOfToken } from './tokens/custom-claims.ts'
import { registerIdJagGrant } from './tokens/id-jag-grant.ts'
import { registerTokenExchange } from './tokens/token-exchange.ts'

/** Has the form of an RSA key without the time that it takes to make one. */
const rsaShape = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(256, 255).toString('base64url') }

/** Keys of the kinds that the engine reads when it starts, before there is any tenant. Nothing is ever signed with them. */
const shapes = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
  RS256: createPublicKey({ key: rsaShape, format: 'jwk' }),
} as const

const signBeside = promisify(sign)

/** Represents the key of the tenant for one algorithm. */
class TenantKey extends ExternalSigningKey {
  readonly #algorithm: IdTokenAlgorithm
  #isRegistered = false

  constructor(algorithm: IdTokenAlgorithm) {
    super()
    this.#algorithm = algorithm
  }

  override get alg(): string {
    return this.#algorithm
  }

  override set alg(_alg: string) {
    throw new TypeError('the key of a tenant has its own algorithm')
  }

  get #signer(): OAuthSigner {
    const { signer, rsaSigner } = currentTenancy()
    const own = this.#algorithm === 'RS256' ? rsaSigner : signer
    if (own === undefined) throw new Error('the RSA key of the tenant was not read for this request')
    return own
  }

  override get kid(): string {
    return this.#isRegistered ? this.#signer.kid : `registration-${this.#algorithm}`
  }

  override set kid(_kid: string) {
    throw new TypeError('the key of a tenant has its own id')
  }

  override keyObject() {
    return shapes[this.#algorithm]
  }

  /** Signs on another thread, so that others are answered meanwhile: it takes a sixth of the time of a token. */
  override sign(data: Uint8Array): Promise<Buffer> {
    return signBeside('sha256', data, this.#signer.key)
  }

  registered() {
    this.#isRegistered = true
  }
}

/** The scopes that all tenants have. */
const engineScopes = [...Object.keys(claimsByScope), 'offline_access']

/** The members that are overridden, without the declared types, which are incomplete. */
interface Engine {
  readonly OIDCContext: new (ctx: object) => { readonly ctx: KoaContextWithOIDC }
  pathFor(name: string, options?: object): string
  urlFor(name: string, options?: object): string
  cookieName(type: string): string
}
// oidc-provider's types leave out the members that are overridden below.
const Engine = OidcProvider as unknown as new (issuer: string, configuration: object) => Engine

class TenantProvider extends Engine {
  #Context: Engine['OIDCContext'] | undefined

  get issuer(): string {
    return currentTenancy().issuer.id
  }

  /** The engine sets one when it starts. */
  set issuer(_issuer: string) {}

  override pathFor(name: string, options: object = {}): string {
    return super.pathFor(name, { ...options, mountPath: currentTenancy().issuer.path })
  }

  override cookieName(type: string): string {
    return `${super.cookieName(type)}-${currentTenancy().tenant.row.id}`
  }

  /** Its addresses come from the issuer, never from the Host header. */
  override get OIDCContext() {
    if (this.#Context === undefined) {
      // oxlint-disable-next-line no-this-alias -- the function below has a `this` of its own
      const provider = this
      this.#Context = class extends super.OIDCContext {
        #params: RequestParameters | undefined

        urlFor(name: string, options?: object): string {
          return provider.urlFor(name, options)
        }

        get params(): RequestParameters | undefined {
          return this.#params
        }

        set params(params: RequestParameters | undefined) {
          if (params !== undefined) adaptParameters(this.ctx, params)
          this.#params = params
        }

        /** Those that a tenant has for its own claims count like the ones that all tenants have. */
        get requestParamOIDCScopes(): Set<string> {
          const requested = this.#params?.['scope']
          if (typeof requested !== 'string') return new Set()
          const known = new Set([...engineScopes, ...(currentTenancy().tenant.claims?.scopes.keys() ?? [])])
          return new Set(requested.split(' ').filter((each) => known.has(each)))
        }
      }
    }
    return this.#Context
  }
}

/** Verifies an ID token as a hint: it may have expired, and the key that signed it may have been replaced since. */
async function validateHint(token: string, client: { readonly clientId: string }) {
  const { deps, tenant, issuer } = currentTenancy()
  const { protectedHeader } = await compactVerify(
    token,
    async ({ kid, alg }: JWTHeaderParameters) => {
      const algorithm = idTokenAlgorithms.find((each) => each === alg)
      const key = algorithm && (await publicKeyOf(deps, tenant, kid, algorithm))
      if (key === undefined) throw new errors.InvalidRequest('the key of the id_token_hint is unknown')
      return key
    },
    { algorithms: [...idTokenAlgorithms] },
  )
  const payload = decodeJwt(token)
  // An access token has a type of its own and is no hint.
  const isIdToken = protectedHeader.typ === undefined || protectedHeader.typ === 'JWT'
  if (
    !isIdToken ||
    !issuer.identifiers.includes(payload.iss ?? '') ||
    payload.aud !== client.clientId ||
    typeof payload.sub !== 'string'
  ) {
    throw new errors.InvalidRequest('the id_token_hint is not an ID token of this client')
  }
  return { payload, header: protectedHeader }
}

interface IdTokenPrototype {
  readonly ctx?: Partial<Pick<KoaContextWithOIDC, 'oidc'>>
  readonly available?: { readonly sub?: string }
  readonly client?: { readonly clientId: string }
  readonly scope?: string
  readonly extra?: Readonly<Record<string, unknown>>
  set: (this: IdTokenPrototype, name: string, value: unknown) => void
  issue: (this: IdTokenPrototype, options: { readonly use?: string }) => Promise<string>
}

interface TokenClasses {
  readonly AccessToken: { prototype: { save: (this: object) => Promise<string> } }
  readonly IdToken: { prototype: IdTokenPrototype }
}

/** Adds the claims of the tenant, none of which the engine sets. */
async function addOwnClaims(token: IdTokenPrototype) {
  const { ctx, available, client, scope = '' } = token
  if (ctx?.oidc === undefined) return
  const own = await claimsOfToken(ctx as KoaContextWithOIDC, 'id', {
    userId: available?.sub,
    clientId: client?.clientId,
    grantId: ctx.oidc.entities.Grant?.jti,
    scopes: scope.split(' '),
  })
  for (const [name, value] of Object.entries(own)) token.set(name, value)
}

/** The lifetime of the token is that much longer in test mode (configuration.ts), because the engine adds it to its own time. */
function sayTenantTime(token: IdTokenPrototype) {
  if (secondsAhead() === 0) return
  token.set('iat', Math.floor(currentTenancy().deps.clock.nowMs() / 1000))
  const { auth_time: began } = token.extra ?? {}
  if (typeof began === 'number') token.set('auth_time', began + secondsAhead())
}

/** Binds each ID token to the access token that is issued with it (OpenID Connect Core 1.0 section 3.1.3.6), and adds the tenant's claims. */
function completeIdTokens(provider: OidcProvider) {
  // oidc-provider's types leave out the classes.
  const { AccessToken, IdToken } = provider as unknown as TokenClasses
  const values = new WeakMap<object, string>()
  const { save } = AccessToken.prototype
  AccessToken.prototype.save = async function saveAndRemember() {
    const value = await save.call(this)
    values.set(this, value)
    return value
  }
  const { issue } = IdToken.prototype
  IdToken.prototype.issue = async function issueWithHash(options) {
    const token = this.ctx?.oidc?.entities.AccessToken
    const value = token && values.get(token)
    // The engine hashes it when it signs.
    if (value !== undefined) this.set('at_hash', value)
    if (options.use === 'idtoken') {
      await addOwnClaims(this)
      sayTenantTime(this)
    }
    return issue.call(this, options)
  }
}

export function createProvider(): OidcProvider {
  const keys = idTokenAlgorithms.map((algorithm) => new TenantKey(algorithm))
  const engine = new TenantProvider('https://tenants.invalid', { ...configuration, jwks: { keys } })
  for (const key of keys) key.registered()
  // It is the same object, with its public members.
  const provider = engine as unknown as OidcProvider
  // The route sets the forwarded headers itself, from the issuer.
  provider.proxy = true
  provider.use(commitAnswer)
  useApplications(provider)
  registerTokenExchange(provider)
  completeIdTokens(provider)
  registerApiKeyGrant(provider)
  registerIdJagGrant(provider)
  // oidc-provider's types leave out the classes.
  ;(provider.IdToken as unknown as { validate: typeof validateHint }).validate = validateHint
  provider.on('server_error', markFailed)
  return provider
}
