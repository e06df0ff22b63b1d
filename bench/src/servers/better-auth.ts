import { openBulkEngine } from '../data/bulk-engine.ts'
import { bulkTime } from '../data/bulk-rows.ts'
import { createStore } from '../data/store.ts'
import type { BetterAuthQuestion } from './better-auth-process.ts'
import { Worker } from './child-process.ts'

export interface BetterAuthServer {
  readonly port: number
  /** The cookie of a signed-in user who is a member of the organization. */
  readonly cookie: string
  readonly organizationId: string
  /** The process of the server. */
  readonly pid: number
  stop(): Promise<void>
}

export const password = 'correct horse battery staple'
/** The user whose cookie it returns. */
export const email = 'ada@people.example'

async function post(port: number, path: string, body: object, cookie?: string): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // Its check of origins accepts requests with a cookie only from its own address.
      origin: 'http://127.0.0.1',
      ...(cookie === undefined ? {} : { cookie }),
    },
    body: JSON.stringify(body),
  })
  if (response.status !== 200)
    throw new Error(`better-auth: ${path} answered ${response.status} ${await response.text()}`)
  return response
}

/** Starts it on a database of its own with one organization of that many members. */
export async function startBetterAuth(
  directory: string,
  postgresUrl: string | undefined,
  members: number,
  application: BetterAuthQuestion['application'],
): Promise<BetterAuthServer> {
  const store = await createStore(directory, 'better_auth', postgresUrl)
  const worker = new Worker(new URL('better-auth-process.ts', import.meta.url), {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
  })
  const question: BetterAuthQuestion = { store, application }
  const port = await worker.ask<number>(question)
  await post(port, '/sign-up/email', { email, password, name: 'Ada' })
  const signedIn = await post(port, '/sign-in/email', { email, password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const made = await post(port, '/organization/create', { name: 'Bench', slug: 'bench' }, cookie)
  const { id: organizationId } = (await made.json()) as { id: string }

  const engine = await openBulkEngine(store)
  const at = store.engine === 'sqlite' ? `'${bulkTime(0)}'` : `CAST('${bulkTime(0)}' AS timestamptz)`
  const verified = store.engine === 'sqlite' ? '1' : 'true'
  await engine.run(`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    SELECT 'bulk' || i, 'Person ' || i, 'person' || i || '@people.example', ${verified}, ${at}, ${at}
    FROM ${engine.rows(members - 1)}`)
  await engine.run(`INSERT INTO member (id, "organizationId", "userId", role, "createdAt")
    SELECT id, '${organizationId}', id, 'member', ${at} FROM "user" WHERE id LIKE 'bulk%'`)
  // It finds trusted clients in its settings, but tokens refer to a row.
  const { clientId, clientSecret, redirectUri } = application
  await engine.run(`INSERT INTO "oauthApplication" (id, name, "clientId", "clientSecret", "redirectUrls", type, "createdAt", "updatedAt")
      VALUES ('app', 'App', '${clientId}', '${clientSecret}', '${redirectUri}', 'web', ${at}, ${at})`)
  await engine.finish()
  return { port, cookie, organizationId, pid: worker.child.pid ?? 0, stop: () => worker.stop() }
}
