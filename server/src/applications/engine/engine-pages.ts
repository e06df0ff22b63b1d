// The few pages that the engine shows itself: an error that cannot be sent to an application, the question whether to sign out, and the
// confirmation of signing out. The hosted pages draw them; they are passed to the authorization server, which must not import them.
import type { FastifyRequest } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Deps } from '../../identity/deps.ts'
import type { PlacedTenant } from '../settings/placed-tenant.ts'
import { applicationOf } from './configuration/clients.ts'
import { findNamedAccount } from './named-sign-out.ts'
import { currentTenancy } from './tenancy.ts'

export interface DrawnPage {
  readonly document: string
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

export interface SignOutQuestion {
  readonly action: string
  readonly xsrf: string
  /** The name of the application; null if it did not identify itself. */
  readonly application: string | null
  readonly isProven: boolean
  /** The account that is signed out in place of that of the engine's session. */
  readonly account?: { readonly id: string; readonly name: string } | undefined
}

/** Draws the pages for one request. */
export interface EnginePages {
  error(code: string, description: string | undefined): Promise<DrawnPage>
  /** Shown for an interaction that is over, or that another browser has begun. */
  expired(): Promise<DrawnPage>
  signOut(question: SignOutQuestion): Promise<DrawnPage>
  /** @param address where the application wants the browser to go; null if nowhere. */
  signedOut(address: string | null): Promise<DrawnPage>
  /** Shown to users who do not want to sign out. */
  stayedSignedIn(): Promise<DrawnPage>
}

export type DrawEnginePages = (deps: Deps, placed: PlacedTenant, request: FastifyRequest) => EnginePages

function pagesOfRequest(): EnginePages {
  const { pages } = currentTenancy()
  if (pages === null) throw new Error('a page was shown outside of a request')
  return pages
}

function send(ctx: KoaContextWithOIDC, { document, headers, cookies }: DrawnPage) {
  ctx.type = 'html'
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
  for (const cookie of cookies) ctx.append('set-cookie', cookie)
  ctx.body = document
}

/** Returns whether the answer is for a person's browser; programs get the answer of the protocol. */
export const isForBrowser = (ctx: KoaContextWithOIDC) => (ctx.get('accept') || '').includes('text/html')

export async function showError(
  ctx: KoaContextWithOIDC,
  out: { readonly error: string; readonly error_description?: string | undefined },
) {
  send(ctx, await pagesOfRequest().error(out.error, out.error_description))
}

export async function showExpired(ctx: KoaContextWithOIDC) {
  send(ctx, await pagesOfRequest().expired())
}

/**
 * Asks whether to sign out. The form submits itself if there is no need to ask: nobody is signed in, or the application has an ID token
 * that names the signed-in user.
 */
export async function showLogout(ctx: KoaContextWithOIDC) {
  const { session, entities, client, provider } = ctx.oidc
  const hint = entities['IdTokenHint'] as { readonly payload?: { readonly sub?: string } } | undefined
  const accountId = session?.accountId
  const account = await findNamedAccount(ctx)
  const { secret } = (session?.state ?? {}) as { readonly secret?: string }
  const question = {
    // oidc-provider's types leave out `urlFor`.
    action: (provider as unknown as { urlFor(name: string): string }).urlFor('end_session_confirm'),
    xsrf: secret ?? '',
    application: applicationOf(client)?.row.name ?? null,
    isProven: account !== undefined || accountId === undefined || hint?.payload?.sub === accountId,
    account,
  }
  send(ctx, await pagesOfRequest().signOut(question))
}

export async function showSignedOut(ctx: KoaContextWithOIDC) {
  send(ctx, await pagesOfRequest().signedOut(null))
}

/** Answers a user who does not want to sign out. Whatever the engine would have ended for the application goes on. */
export async function showStayedSignedIn(ctx: KoaContextWithOIDC) {
  for (const name of ['location', 'set-cookie']) ctx.remove(name)
  send(ctx, await pagesOfRequest().stayedSignedIn())
  ctx.status = 200
}

/**
 * Answers a form whose redirect leads to an application. The form's policy allows no redirect to another origin, so a page is shown that
 * goes there by itself.
 */
export async function leaveSignedOut(ctx: KoaContextWithOIDC, address: string) {
  send(ctx, await pagesOfRequest().signedOut(address))
  ctx.status = 200
  ctx.remove('location')
  ctx.set('refresh', `0;url=${address}`)
}
