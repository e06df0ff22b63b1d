// Authorization codes of users who are signed in, and the requests that redeem them.
import { createHash } from 'node:crypto'
import type { HttpConnection } from './http-connection.ts'
import { requestBytes } from './request.ts'

export const redirectUri = 'https://app.example/callback'
export const jwtResource = 'https://jwt.example'
export const scope = 'articles:read'
const verifier = 'a'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

export type Tokens = 'with a JWT for a resource' | 'with an opaque access token'

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** An application, and a user's browser that has a session with the authorization server. */
export interface Signed {
  readonly authorizePath: string
  readonly tokenPath: string
  readonly client: ClientCredentials
  readonly cookie: string
}

/** Returns the header by which a client authenticates. */
export const basic = ({ clientId, clientSecret }: ClientCredentials) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** The parameters that name the resource, for both requests. */
const forResource = (tokens: Tokens) => (tokens === 'with a JWT for a resource' ? { resource: jwtResource } : {})

/** Returns the query of a request for a code. */
export function authorization({ clientId }: Signed['client'], tokens: Tokens): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: tokens === 'with a JWT for a resource' ? `openid ${scope}` : 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state',
    nonce: 'nonce',
    ...forResource(tokens),
  })
  return parameters.toString()
}

function redemption({ tokenPath, client }: Signed, tokens: Tokens, location: string): Buffer {
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`there is no code in ${location}`)
  return requestBytes({
    method: 'POST',
    path: tokenPath,
    mime: 'application/x-www-form-urlencoded',
    headers: { authorization: basic(client) },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...forResource(tokens),
    }).toString(),
  })
}

/** Sends a number of requests over all connections, and hands each answer on. */
export async function sendAll(
  open: readonly HttpConnection[],
  requests: readonly Buffer[],
  hear: (index: number, answer: { readonly status: number; readonly bytes: Buffer }, milliseconds: number) => void,
): Promise<void> {
  let at = 0
  const loop = async (connection: HttpConnection) => {
    while (at < requests.length) {
      const index = at++
      const sentAt = performance.now()
      hear(index, await connection.send(requests[index] ?? Buffer.alloc(0)), performance.now() - sentAt)
    }
  }
  await Promise.all(open.map(loop))
}

/** Asks for a number of codes, in turn for each of those who are signed in, and returns the requests that redeem them. */
export async function makeCodes(
  open: readonly HttpConnection[],
  signed: readonly Signed[],
  tokens: Tokens,
  count: number,
): Promise<Buffer[]> {
  const asking = Array.from({ length: count }, (_each, index) => {
    const at = signed[index % signed.length]
    if (at === undefined) throw new Error('nobody is signed in')
    const path = `${at.authorizePath}?${authorization(at.client, tokens)}`
    return { at, request: requestBytes({ method: 'GET', path, headers: { cookie: at.cookie } }) }
  })
  const redemptions: Buffer[] = []
  await sendAll(
    open,
    asking.map(({ request }) => request),
    (index, { status, bytes }) => {
      // A busy machine may make requests wait too long for a connection to the database. Fewer codes are redeemed then.
      if (status === 503) return
      const location = /\r\nlocation: *([^\r]+)/i.exec(bytes.toString('latin1'))?.[1] ?? ''
      const at = asking[index]?.at
      if (!location.startsWith(redirectUri) || at === undefined) throw new Error(`no code: ${bytes.toString()}`)
      redemptions.push(redemption(at, tokens, location))
    },
  )
  if (redemptions.length === 0) throw new Error('no code was issued')
  return redemptions
}
