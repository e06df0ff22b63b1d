// For servers: what a page is rendered with, and where people who have to sign in are sent. Nothing here needs React.
import { BailiwickFrontend, createMemoryTokenStore, isBailiwickError } from '@bailiwick/sdk/frontend'
import { type Auth, type Authenticator, createAuthenticator } from '@bailiwick/sdk/server'
import type { InitialState } from './auth-state.ts'
import { hostedPages } from './hosted-pages.ts'

export type { InitialState } from './auth-state.ts'
export { type HostedPages, type HostedPagesOptions, hostedPages } from './hosted-pages.ts'

/** What the provider has to know about the tenant. There is no secret in it. */
export interface TenantProps {
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tenantId?: string
}

/** Headers of a request, as frameworks give them. */
type RequestHeaders = Pick<Headers, 'get'>

let authenticator: Authenticator | undefined
const authenticate = () => (authenticator ??= createAuthenticator())

/**
 * What the tenant's environment says: `BAILIWICK_FRONTEND_API_URL`, `BAILIWICK_PUBLIC_KEY` and `BAILIWICK_TENANT_ID`.
 * @throws TypeError naming the variable that is missing.
 */
export function tenantOfEnvironment(): TenantProps {
  const { process } = globalThis as {
    readonly process?: { readonly env: Readonly<Record<string, string | undefined>> }
  }
  const read = (name: string) => {
    const value = process?.env[name]
    if (value === undefined || value === '') throw new TypeError(`${name} is not set`)
    return value
  }
  const tenantId = process?.env['BAILIWICK_TENANT_ID']
  return {
    frontendApiUrl: read('BAILIWICK_FRONTEND_API_URL'),
    publicKey: read('BAILIWICK_PUBLIC_KEY'),
    ...(tenantId === undefined ? {} : { tenantId }),
  }
}

/**
 * Who sent the request that is being answered; undefined where nobody is signed in. It is for reading: what changes something takes
 * `verifyRequest` of `@bailiwick/sdk/server`, which also looks at where the request comes from.
 * @param headers in Next.js `await headers()`.
 * @throws AuthError service_unavailable
 */
export async function authOf(headers: RequestHeaders): Promise<Auth | undefined> {
  const names = ['authorization', 'cookie'] as const
  const given = names.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  return authenticate().findAuth(new Request('http://request.invalid/', { headers: given }))
}

/**
 * What `<BailiwickProvider initialState>` takes, so that the page is rendered with its user at once. It asks the service for the profile.
 * @param auth who sent the request.
 * @throws BailiwickError where the service cannot be asked.
 */
export async function initialStateOf(
  auth: Auth | undefined,
  { frontendApiUrl, publicKey }: TenantProps = tenantOfEnvironment(),
): Promise<InitialState> {
  if (auth === undefined) return null
  const { actor = null, organization = null, permissions, sessionId, token } = auth
  const tokens = createMemoryTokenStore()
  await tokens.set('session', token)
  const client = new BailiwickFrontend({ baseUrl: frontendApiUrl, publicKey, tokens })
  try {
    const { user } = await client.getProfile()
    return { user, session: { id: sessionId, role: auth.user.role, permissions, organization, actor } }
  } catch (error) {
    // The session has ended since the token was made.
    if (isBailiwickError(error, 'unauthenticated')) return null
    throw error
  }
}

/** The properties of a `<BailiwickProvider>` that is rendered on the server: the tenant of the environment, and who is signed in. */
export async function providerProps(
  headers: RequestHeaders,
): Promise<TenantProps & { readonly initialState: InitialState }> {
  const tenant = tenantOfEnvironment()
  return { ...tenant, initialState: await initialStateOf(await authOf(headers), tenant) }
}

/**
 * Sends whoever is not signed in to the hosted page, and from there back to the address that was asked for, which the tenant's sign-in
 * rules have to list. Gives undefined for everybody else. In Next.js it is a whole `proxy`.
 * @throws AuthError service_unavailable
 */
export async function requireSignIn(request: Request): Promise<Response | undefined> {
  if ((await authenticate().findAuth(request)) !== undefined) return undefined
  return Response.redirect(hostedPages(tenantOfEnvironment()).signIn(request.url))
}
