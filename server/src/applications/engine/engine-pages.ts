// The few pages that the engine itself shows: an error that cannot be sent to an application, the question whether to sign out, and that one
// is signed out. They have no scripts but the one that sends the form of an application that has proven whom it signs out.
import { hash } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0).toString()};`)

const submit = 'document.forms[0].submit()'
const submitHash = hash('sha256', submit, 'base64')

function show(ctx: KoaContextWithOIDC, title: string, body: string, formAction = "'self'") {
  ctx.type = 'html'
  ctx.set(
    'content-security-policy',
    `default-src 'none'; script-src 'sha256-${submitHash}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
  )
  ctx.set('referrer-policy', 'no-referrer')
  ctx.body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`
}

export async function showError(
  ctx: KoaContextWithOIDC,
  out: { readonly error: string; readonly error_description?: string | undefined },
) {
  const detail = out.error_description === undefined ? '' : `<p>${escaped(out.error_description)}</p>`
  show(ctx, 'This request cannot be answered', `<p><code>${escaped(out.error)}</code></p>${detail}`)
}

/** The form goes on by itself only for an application whose ID token names the user who is signed in. */
export async function showLogout(ctx: KoaContextWithOIDC, form: string) {
  const hint = ctx.oidc.entities['IdTokenHint'] as { readonly payload?: { readonly sub?: string } } | undefined
  const isProven = hint?.payload?.sub !== undefined && hint.payload.sub === ctx.oidc.session?.accountId
  const whole = form.replace(
    '</form>',
    '<input type="hidden" name="logout" value="yes"><button>Sign out</button></form>',
  )
  // A form may lead on to the address that the application is called back at.
  const back = ctx.oidc.session?.state?.['postLogoutRedirectUri']
  const formAction = typeof back === 'string' && URL.canParse(back) ? `'self' ${originOf(back)}` : "'self'"
  const body = isProven ? `${whole}<script>${submit}</script>` : `<p>Do you want to sign out?</p>${whole}`
  show(ctx, 'Sign out', body, formAction)
}

function originOf(address: string) {
  const { origin, protocol } = new URL(address)
  return origin === 'null' ? protocol : origin
}

export async function showSignedOut(ctx: KoaContextWithOIDC) {
  show(ctx, 'You are signed out', '')
}
