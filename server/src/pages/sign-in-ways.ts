// What a strategy asks for on a page.
import { type SignInStrategy, frontendEndpoints } from '@bailiwick/contract'
import type { PageCall } from './page-call.ts'

const sent = ['email_code', 'email_link', 'phone_code'] as const
export type SentStrategy = (typeof sent)[number]

const isOneOf = <Name extends string>(names: readonly Name[], strategy: string | null | undefined): strategy is Name =>
  (names as readonly (string | null | undefined)[]).includes(strategy)

/** Whether something is sent before it can be proven. */
export const isSent = (strategy: string | null | undefined): strategy is SentStrategy => isOneOf(sent, strategy)

/** Sends what the attempt is to be proven with. A link leads back to these pages, whatever page the tenant has for itself. */
export async function sendFirstFactor(page: PageCall, id: string, strategy: SentStrategy) {
  const link = strategy === 'email_link' ? { redirectUri: page.addressOf('/sign-in/link') } : {}
  await page.run(frontendEndpoints.prepareFirstFactor, { params: { id }, body: { strategy, ...link } })
}

const passwords = ['username_password', 'email_password', 'phone_password'] as const
export const isPassword = (strategy: string | null | undefined): strategy is (typeof passwords)[number] =>
  isOneOf(passwords, strategy)

/** The name by which a page's address asks for a strategy. */
export const strategyNamed = (name: string | undefined, supported: readonly string[]): SignInStrategy | undefined =>
  name !== undefined && supported.includes(name) ? (name as SignInStrategy) : undefined
