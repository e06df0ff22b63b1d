// People of the main tenant who can sign in, and one who has signed in.
import { setTimeout as sleep } from 'node:timers/promises'
import { unique } from '../load/bodies.ts'
import type { Dataset } from './dataset.ts'

export const password = 'correct horse battery staple'
/** So many that requests do not wait for the same account's row. */
const peopleCount = 64

export interface People {
  readonly emails: readonly string[]
  readonly userIds: readonly string[]
  /** The cookies of several of them, because limits count by user. */
  readonly cookies: readonly string[]
}

const retryAfterMs = 250
const triesMax = 60

async function call(port: number, path: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (response.ok) return response
    // On a busy machine so many passwords may be too many at once.
    if (response.status !== 503 || tries === triesMax) throw new Error(`${path} answered ${await response.text()}`)
    await sleep(retryAfterMs)
  }
}

/** Signs one person in and returns the cookie. */
export async function signIn({ main }: Dataset, port: number, email: string): Promise<string> {
  const body = { identifier: email, strategy: 'email_password', password }
  const response = await call(port, '/frontend/api/v0/sign-ins', { 'x-public-key': main.publicKey }, body)
  await response.arrayBuffer()
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
}

export async function createPeople(dataset: Dataset, port: number): Promise<People> {
  const { main } = dataset
  const authorization = `Bearer ${main.secretKey}`
  const people = await Promise.all(
    Array.from({ length: peopleCount }, async () => {
      const email = `${unique()}@people.example`
      const created = await call(port, '/api/v0/auth/users', { authorization }, { tenantId: main.id, email, password })
      const { id: userId, primaryEmailId: id } = (await created.json()) as { id: string; primaryEmailId: string }
      await call(port, '/api/v0/auth/email-addresses/verify', { authorization }, { id })
      return { email, userId }
    }),
  )
  const emails = people.map(({ email }) => email)
  const userIds = people.map(({ userId }) => userId)
  return { emails, userIds, cookies: await Promise.all(emails.map((email) => signIn(dataset, port, email))) }
}
