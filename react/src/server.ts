// For servers: the data to render a page with, and the redirection of users who must sign in. Nothing here needs React.
import { BailiwickFrontend, createMemoryTokenStore, isBailiwickError } from '@bailiwick/sdk/frontend'
import { type Auth, type Authenticator, createAuthenticator } from '@bailiwick/sdk/server'
import type { InitialState } from './auth-state.ts'
import { hostedPages } from './hosted-pages.ts'

export type { InitialState } from './auth-state.ts'
export { type HostedPages, type HostedPagesOptions, hostedPages } from './hosted-pages.ts'

/** The provider's settings for the tenant. They contain no secret. */
export interface TenantProps {
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tenantId?: string
}

/** The headers of a request, as frameworks provide them. */
type RequestHeaders = Pick<Headers, 'get'>

let authenticator: Authenticator | undefined
const authenticate = () => (authenticator ??= createAuthenticator())

/**
 * Returns the settings in the tenant's environment: `BAILIWICK_FRONTEND_API_URL`, `BAILIWICK_PUBLIC_KEY` and `BAILIWICK_TENANT_ID`.
 * @example
 * ```tsx
 * import { BailiwickProvider } from '@bailiwick/react'
 * import { tenantOfEnvironment } from '@bailiwick/react/server'
 *
 * export const App = () => <BailiwickProvider {...tenantOfEnvironment()}>…</BailiwickProvider>
 * ```
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
 * Returns who sent the current request; undefined if nobody is signed in. Use it only for reading: before a change, call `verifyRequest` of
 * `@bailiwick/sdk/server`, which also checks where the request comes from.
 * @example
 * ```ts
 * import { authOf } from '@bailiwick/react/server'
 *
 * export async function readCustomer(headers: Headers) {
 *   const auth = await authOf(headers)
 *   return auth?.user.id
 * }
 * ```
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
 * Returns the value for `<BailiwickProvider initialState>`, so that the page is rendered with its user at once. It fetches the profile.
 * @example
 * ```ts
 * import { authOf, initialStateOf } from '@bailiwick/react/server'
 *
 * export async function readInitialState(headers: Headers) {
 *   return initialStateOf(await authOf(headers))
 * }
 * ```
 * @param auth who sent the request, as `authOf` returned it.
 * @throws BailiwickError if the service cannot be reached.
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
    // The session has ended since the token was issued.
    if (isBailiwickError(error, 'unauthenticated')) return null
    throw error
  }
}

/**
 * Returns the properties of a `<BailiwickProvider>` that is rendered on the server: the tenant in the environment, and the signed-in
 * user.
 * @example
 * ```tsx
 * import { BailiwickProvider } from '@bailiwick/react'
 * import { providerProps } from '@bailiwick/react/server'
 *
 * export async function Layout({ headers }: { headers: Headers }) {
 *   return <BailiwickProvider {...await providerProps(headers)}>…</BailiwickProvider>
 * }
 * ```
 */
export async function providerProps(
  headers: RequestHeaders,
): Promise<TenantProps & { readonly initialState: InitialState }> {
  const tenant = tenantOfEnvironment()
  return { ...tenant, initialState: await initialStateOf(await authOf(headers), tenant) }
}

/**
 * Redirects users who are not signed in to the hosted page, and from there back to the requested URL, which the tenant's sign-in rules
 * must list. Returns undefined for signed-in users. In Next.js it is a complete `proxy`.
 * @example
 * ```ts
 * export { requireSignIn as proxy } from '@bailiwick/react/server'
 *
 * export const config = { matcher: '/dashboard/:path*' }
 * ```
 * @throws AuthError service_unavailable
 */
export async function requireSignIn(request: Request): Promise<Response | undefined> {
  if ((await authenticate().findAuth(request)) !== undefined) return undefined
  return Response.redirect(hostedPages(tenantOfEnvironment()).signIn(request.url))
}
