// What a strategy requires on a page.
import { type SignInStrategy, frontendEndpoints } from '@bailiwick/contract'
import type { PageCall } from '../call/page-call.ts'

const sent = ['email_code', 'email_link', 'phone_code'] as const
export type SentStrategy = (typeof sent)[number]

const isOneOf = <Name extends string>(names: readonly Name[], strategy: string | null | undefined): strategy is Name =>
  (names as readonly (string | null | undefined)[]).includes(strategy)

/** Whether something is sent before it can be proven. */
export const isSent = (strategy: string | null | undefined): strategy is SentStrategy => isOneOf(sent, strategy)

/** Sends what proves the attempt. A link leads back to these pages, whatever page of its own the tenant has. */
export async function sendFirstFactor(page: PageCall, id: string, strategy: SentStrategy) {
  const link = strategy === 'email_link' ? { redirectUri: page.addressOf('/sign-in/link') } : {}
  await page.run(frontendEndpoints.prepareFirstFactor, { params: { id }, body: { strategy, ...link } })
}

const passwords = ['username_password', 'email_password', 'phone_password'] as const
export const isPassword = (strategy: string | null | undefined): strategy is (typeof passwords)[number] =>
  isOneOf(passwords, strategy)

/** The name of a strategy in a page's address. */
export const strategyNamed = (name: string | undefined, supported: readonly string[]): SignInStrategy | undefined =>
  name !== undefined && supported.includes(name) ? (name as SignInStrategy) : undefined
