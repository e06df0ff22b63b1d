// What a TypeScript project writes against the published packages: it must compile there, except for each marked line.
import { type ErrorCode, type User, errorCatalogue } from '@bailiwick/contract'
import { Bailiwick, isBailiwickError } from '@bailiwick/sdk'
import { bailiwickAuth, requireAuth as requireUser, requirePermission } from '@bailiwick/sdk/express'
import { bailiwickAuth as plugin, requireAuth } from '@bailiwick/sdk/fastify'
import { BailiwickFrontend } from '@bailiwick/sdk/frontend'
import { type SessionJwt, createJwtVerifier } from '@bailiwick/sdk/jwt'
import { AuthError, createAuthenticator } from '@bailiwick/sdk/server'
import { verifyWebhook } from '@bailiwick/sdk/webhooks'
import express from 'express'
import fastify from 'fastify'

export async function management(secretKey: string): Promise<User> {
  const client = new Bailiwick({ baseUrl: 'https://id.example.com/api/v0', secretKey })
  try {
    for await (const role of client.pages.listRoles({ params: { tenantId: 'c1' } })) console.log(role.name.length)
    // @ts-expect-error a parameter is missing
    await client.getTenant({ params: {} })
    // @ts-expect-error a property that the operation does not know
    await client.createUser({ body: { tenantId: 'c1', isAdmin: true } })
    // @ts-expect-error no such operation
    await client.createUsers({ body: { tenantId: 'c1' } })
    for await (const user of client.users.list({ params: { tenantId: 'c1' } })) console.log(user.name?.length)
    // @ts-expect-error no such operation in the group
    await client.users.make({ body: { tenantId: 'c1' } })
    return await client.createUser({ body: { tenantId: 'c1', name: 'Ada' } })
  } catch (error) {
    // @ts-expect-error no such code
    if (isBailiwickError(error, 'email_token')) throw error
    if (isBailiwickError(error, 'email_taken'))
      console.log(error.code satisfies ErrorCode, errorCatalogue.email_taken.status)
    throw error
  }
}

// @ts-expect-error two credentials
export const twice = new Bailiwick({ baseUrl: '', secretKey: '', operatorKey: '' })

export async function frontend(publicKey: string): Promise<string> {
  const auth = new BailiwickFrontend({ baseUrl: 'https://id.example.com/frontend/api/v0', publicKey })
  const { signInAttempt } = await auth.createSignIn({
    body: { identifier: 'a', strategy: 'email_password', password: 'b' },
  })
  // @ts-expect-error no such status
  if (signInAttempt.status === 'done') return ''
  // @ts-expect-error no such strategy
  await auth.createSignIn({ body: { identifier: 'a', strategy: 'email_pasword' } })
  return auth.token({ orgId: 'c2' })
}

export async function tokens(token: string, request: Request): Promise<SessionJwt> {
  const auth = await createAuthenticator().verifyRequest(request)
  auth.requirePermission('orders:read')
  // @ts-expect-error the organization may be absent
  console.log(auth.user.email, auth.organization.id)
  // @ts-expect-error an option that does not exist
  createAuthenticator({ audience: 'pk_1' })
  console.log(new AuthError('unauthenticated', '').toResponse().status)
  // @ts-expect-error no such code
  console.log(new AuthError('unauthorized', ''))
  return createJwtVerifier({ jwksUrl: 'https://id.example.com/jwks.json', issuer: 'a', audience: 'b' })(token)
}

export async function webhook(secret: string, request: Request): Promise<Date> {
  const { payload, sentAt } = await verifyWebhook({ secret, headers: request.headers, body: await request.text() })
  if (payload.type === 'user.created') console.log(payload.data.data.personal?.name)
  // @ts-expect-error no such type of event
  if (payload.type === 'user.made') return sentAt
  // @ts-expect-error the secret is missing
  await verifyWebhook({ headers: request.headers, body: '' })
  return sentAt
}

export function servers() {
  const app = express()
  app.use(bailiwickAuth({ origins: ['https://admin.example.com'] }))
  app.get('/orders', requirePermission('orders:read'), (request, response) => {
    response.json({ user: request.auth?.user.id })
    // @ts-expect-error the user may be absent
    response.json({ user: request.auth.user.id })
  })
  app.get(
    '/me',
    requireUser((request, response) => void response.json({ user: request.auth.user.id, at: request.path })),
  )
  app.get(
    '/orders/:id',
    requirePermission('orders:read', ({ auth, params }, response) => void response.json([auth.user.id, params])),
  )
  const other = fastify()
  other.get(
    '/me',
    requireAuth(async ({ auth, url }) => [auth.user.id, url]),
  )
  void other.register(plugin, { publicKey: 'pk_1' })
  other.get('/orders', { preHandler: requireAuth() }, async (request) => request.auth?.permissions)
  // @ts-expect-error an option that does not exist
  void other.register(plugin, { secretKey: 'sk_1' })
}
