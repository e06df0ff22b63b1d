// A tenant's environment variables: what an application needs to talk to this service as that tenant.
import type { Deps } from '../deps.ts'
import { revealSecretKey } from './secret-key.ts'
import type { TenantEntry } from './tenant-entry.ts'

export type EnvScope = 'public' | 'secret'

/** The base address of the frontend interface, beside that of the management interface. */
export const frontendBaseUrl = (baseUrl: string) => new URL('/frontend/api/v0', baseUrl).href

/** @param scopes which groups to return, in this order. */
export async function tenantEnv(
  deps: Deps,
  entry: TenantEntry,
  scopes: ReadonlySet<EnvScope>,
): Promise<Record<string, string>> {
  const { baseUrl } = deps.config
  const frontend = frontendBaseUrl(baseUrl)
  const primary = entry.domains.find((domain) => domain.is_primary === 1)
  const env: Record<string, string> = {}
  if (scopes.has('public')) {
    env['BAILIWICK_API_URL'] = baseUrl
    env['BAILIWICK_FRONTEND_API_URL'] = entry.auth.frontendApiUri ?? frontend
    env['BAILIWICK_DOMAIN'] = primary?.name ?? new URL(baseUrl).hostname
    env['BAILIWICK_TENANT_ID'] = entry.row.id
    env['BAILIWICK_PUBLIC_KEY'] = entry.row.public_key
    env['BAILIWICK_JWKS_URL'] = `${frontend}/.well-known/jwks.json?publicKey=${entry.row.public_key}`
  }
  if (scopes.has('secret')) env['BAILIWICK_SECRET_KEY'] = await revealSecretKey(deps, entry.row.id)
  return env
}

/** Values that neither a shell nor a reader of .env files interprets; keys and ids are always like that. */
const isPlain = (value: string) => /^[\w:/.?=%@+~,-]*$/.test(value)

/** Nothing is expanded within single quotes. Only an address can contain one, and there it may be percent-encoded. */
const quoted = (value: string) => `'${value.replaceAll("'", '%27')}'`

/** Returns the same as a .env file. */
export const envFile = (env: Record<string, string>) =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${isPlain(value) ? value : quoted(value)}\n`)
    .join('')
