// The engine: one oidc-provider for all tenants, whose issuer, addresses, cookies and key are those of the tenant that the request is for.
import { generateKeyPairSync, sign } from 'node:crypto'
import { type JWTHeaderParameters, compactVerify, decodeJwt } from 'jose'
import OidcProvider, { ExternalSigningKey, errors } from 'oidc-provider'
import { publicKeyOf } from './access-jwt.ts'
import { configuration } from './configuration.ts'
import { useApplications } from './clients.ts'
import { commitAnswer } from './commit-answer.ts'
import { markFailed } from './failed-answers.ts'
import { currentTenancy } from './tenancy.ts'
import { registerTokenExchange } from './token-exchange.ts'

/** Represents the key of the tenant; the engine reads its kind when it starts, before there is any tenant. */
class TenantKey extends ExternalSigningKey {
  readonly #shape = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  #isRegistered = false

  override get kid(): string {
    return this.#isRegistered ? currentTenancy().signer.kid : 'registration'
  }

  override set kid(_kid: string) {
    throw new TypeError('the key of a tenant has its own id')
  }

  override keyObject() {
    return this.#shape
  }

  override async sign(data: Uint8Array): Promise<Buffer> {
    return sign('sha256', data, currentTenancy().signer.key)
  }

  registered() {
    this.#isRegistered = true
  }
}

/** The members that are overridden, without the declared types, which are incomplete. */
interface Engine {
  readonly OIDCContext: new (ctx: object) => object
  pathFor(name: string, options?: object): string
  urlFor(name: string, options?: object): string
  cookieName(type: string): string
}
const Engine = OidcProvider as unknown as new (issuer: string, configuration: object) => Engine

class TenantProvider extends Engine {
  #Context: (new (ctx: object) => object) | undefined

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
      // oxlint-disable-next-line no-this-alias
      const provider = this
      this.#Context = class extends super.OIDCContext {
        urlFor(name: string, options?: object): string {
          return provider.urlFor(name, options)
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
    async ({ kid }: JWTHeaderParameters) => {
      const key = await publicKeyOf(deps, tenant, kid)
      if (key === undefined) throw new errors.InvalidRequest('the key of the id_token_hint is unknown')
      return key
    },
    { algorithms: ['ES256'] },
  )
  const payload = decodeJwt(token)
  // An access token has a type of its own and is no hint.
  const isIdToken = protectedHeader.typ === undefined || protectedHeader.typ === 'JWT'
  if (!isIdToken || payload.iss !== issuer.id || payload.aud !== client.clientId || typeof payload.sub !== 'string') {
    throw new errors.InvalidRequest('the id_token_hint is not an ID token of this client')
  }
  return { payload, header: protectedHeader }
}

export function createProvider(): OidcProvider {
  const key = new TenantKey()
  const engine = new TenantProvider('https://tenants.invalid', { ...configuration, jwks: { keys: [key] } })
  key.registered()
  const provider = engine as unknown as OidcProvider
  // The route sets the forwarded headers itself, from the issuer.
  provider.proxy = true
  provider.use(commitAnswer)
  useApplications(provider)
  registerTokenExchange(provider)
  ;(provider.IdToken as unknown as { validate: typeof validateHint }).validate = validateHint
  provider.on('server_error', markFailed)
  return provider
}
