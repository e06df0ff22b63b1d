// Signs users in with OpenID Connect. ISSUER, CLIENT_ID and CLIENT_SECRET are those of an application that `POST /auth/applications` has
// registered, with `${APP}/callback` as its redirect address and APP as the one after signing out.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as openid from 'openid-client'

const app = process.env.APP ?? 'http://localhost:3000'
const { ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env
const isLocal = ISSUER.startsWith('http://')
const provider = await openid.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Only for a service on this machine; anywhere else an issuer begins with https.
  execute: isLocal ? [openid.allowInsecureRequests] : [],
})

/** What this app remembers of each browser, by its cookie. A real one keeps this in its database. */
const sessions = new Map()

async function beginSignIn(session) {
  session.checks = {
    pkceCodeVerifier: openid.randomPKCECodeVerifier(),
    expectedState: openid.randomState(),
    expectedNonce: openid.randomNonce(),
  }
  const { pkceCodeVerifier, expectedState, expectedNonce } = session.checks
  return openid.buildAuthorizationUrl(provider, {
    redirect_uri: `${app}/callback`,
    scope: 'openid profile email',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
}

const endSignIn = async (session, address) => {
  const tokens = await openid.authorizationCodeGrant(provider, address, session.checks)
  session.claims = tokens.claims()
  session.idToken = tokens.id_token
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const page = (body) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Example</title><main>${body}</main></html>`
const home = ({ claims }) =>
  claims === undefined
    ? page('<h1>Welcome</h1><p><a href="/sign-in">Sign in</a></p>')
    : page(
        `<h1>Hello, ${escaped(claims.name ?? claims.sub)}</h1><pre>${escaped(JSON.stringify(claims, null, 2))}</pre><p><a href="/sign-out">Sign out</a></p>`,
      )

async function answer(request, response) {
  const address = new URL(request.url ?? '/', app)
  const known = /(?:^|; )app=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const id = sessions.has(known) ? known : randomUUID()
  if (id !== known) {
    sessions.set(id, {})
    response.setHeader('set-cookie', `app=${id}; HttpOnly; SameSite=Lax; Path=/`)
  }
  const session = sessions.get(id)
  const redirect = (to) => response.writeHead(302, { location: String(to) }).end()
  try {
    if (address.pathname === '/sign-in') redirect(await beginSignIn(session))
    else if (address.pathname === '/callback') {
      await endSignIn(session, address)
      redirect('/')
    } else if (address.pathname === '/sign-out') {
      sessions.delete(id)
      redirect(
        openid.buildEndSessionUrl(provider, { id_token_hint: session.idToken, post_logout_redirect_uri: `${app}/` }),
      )
    } else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(home(session))
  } catch (error) {
    console.error(error)
    response
      .writeHead(500, { 'content-type': 'text/html; charset=utf-8' })
      .end(page('<h1>That did not work</h1><p><a href="/">Begin again</a></p>'))
  }
}

createServer((request, response) => void answer(request, response)).listen(Number(new URL(app).port || 80), () =>
  console.log(`The app is at ${app}`),
)
