// What the server side of an app is told about its tenant, checked before the first request.
import type { Fetch } from '../transport/transport.ts'

export interface BailiwickAuthOptions {
  /** The frontend's base address, which is also the issuer of the tokens; `BAILIWICK_FRONTEND_API_URL` by default. */
  readonly frontendApiUrl?: string
  /** The tenant's public key, which is also the audience of the tokens; `BAILIWICK_PUBLIC_KEY` by default. */
  readonly publicKey?: string
  /** Only for `auth.tenant.id` and for the cookies of a deployment's own address; `BAILIWICK_TENANT_ID` by default. */
  readonly tenantId?: string
  /** The address of the tenant's keys; by default `BAILIWICK_JWKS_URL`, or an address below `frontendApiUrl`. */
  readonly jwksUrl?: string
  /** The cookie in which the app's pages keep the token; `bailiwick-jwt` by default. */
  readonly jwtCookie?: string
  /** Further origins whose pages may send changes with the user's cookies, such as `https://admin.example.com`. */
  readonly origins?: readonly string[]
  /** How many seconds this machine's clock may be off; 5 by default, at most 300. */
  readonly clockToleranceSeconds?: number
  /** Returns the present time in milliseconds since 1970; for tests with a tenant whose clock was moved. */
  readonly now?: () => number
  /** Replaces the platform's `fetch`: for a proxy, for tracing, for tests. */
  readonly fetch?: Fetch
}

export interface AuthSettings {
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tenantId: string | undefined
  readonly jwksUrl: string
  readonly jwtCookie: string
  readonly sessionCookies: readonly string[]
  readonly origins: ReadonlySet<string>
  readonly clockToleranceSeconds: number | undefined
  readonly now: () => number
  readonly fetch: Fetch | undefined
}

/** The environment, if the platform has one. */
export function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { readonly process?: { readonly env?: Record<string, string | undefined> } }
  return process?.env ?? {}
}

/** @throws TypeError, which names the option and the variable. */
export function required(value: string | undefined, option: string, variable: string): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${option} is missing: pass it as an option, or set the environment variable ${variable}`)
  }
  return value
}

function checkedOrigin(value: string): string {
  if (!URL.canParse(value) || new URL(value).origin !== value) {
    throw new TypeError(`origins must be URLs such as https://app.example.com, not ${value}`)
  }
  return value
}

/** @throws TypeError for options with which no request could be checked. */
export function readSettings(options: BailiwickAuthOptions): AuthSettings {
  const env = environment()
  const frontendApiUrl = required(
    options.frontendApiUrl ?? env['BAILIWICK_FRONTEND_API_URL'],
    'frontendApiUrl',
    'BAILIWICK_FRONTEND_API_URL',
  )
  const publicKey = required(options.publicKey ?? env['BAILIWICK_PUBLIC_KEY'], 'publicKey', 'BAILIWICK_PUBLIC_KEY')
  if (!publicKey.startsWith('pk_')) throw new TypeError('publicKey must be a key that starts with pk_')
  // The environment describes one tenant; an address or a key that is given may belong to another.
  const isOfEnvironment = options.frontendApiUrl === undefined && options.publicKey === undefined
  const tenantId = options.tenantId ?? (isOfEnvironment ? env['BAILIWICK_TENANT_ID'] : undefined)
  const keysOfEnvironment = isOfEnvironment ? env['BAILIWICK_JWKS_URL'] : undefined
  const keysBelow = `${frontendApiUrl}/.well-known/jwks.json?publicKey=${encodeURIComponent(publicKey)}`
  return {
    frontendApiUrl,
    publicKey,
    tenantId,
    jwksUrl: options.jwksUrl ?? keysOfEnvironment ?? keysBelow,
    jwtCookie: options.jwtCookie ?? 'bailiwick-jwt',
    // The names that the service uses: on the deployment's address, which tenants share, and on a domain of the tenant.
    sessionCookies: [...(tenantId === undefined ? [] : [`__Host-sid-${tenantId}`]), '__Host-sid'],
    origins: new Set((options.origins ?? []).map(checkedOrigin)),
    clockToleranceSeconds: options.clockToleranceSeconds,
    now: options.now ?? (() => Date.now()),
    fetch: options.fetch,
  }
}
