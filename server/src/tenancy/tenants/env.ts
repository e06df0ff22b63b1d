// A tenant's environment variables: what an application needs to talk to this service as that tenant.
import type { Deps } from '../deps.ts'
import type { TenantEntry } from './tenant-directory.ts'
import { revealSecretKey } from './secret-key.ts'

export type EnvScope = 'public' | 'secret'

/** The frontend interface's base address, beside the management interface's. */
export const frontendBaseUrl = (baseUrl: string) => new URL('/frontend/api/v0', baseUrl).href

/** @param scopes which groups to give, in the order in which they stand. */
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

/** What neither a shell nor a reader of .env files takes for more than itself; keys and ids are always so. */
const isPlain = (value: string) => /^[\w:/.?=%@+~,-]*$/.test(value)

/** Within single quotes nothing is expanded. Only an address can hold one itself, and there it may be written so. */
const quoted = (value: string) => `'${value.replaceAll("'", '%27')}'`

/** The same as a .env file. */
export const envFile = (env: Record<string, string>) =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${isPlain(value) ? value : quoted(value)}\n`)
    .join('')
