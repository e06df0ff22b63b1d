import type { User } from '@bailiwick/contract'

export const primaryEmail = ({ emailAddresses, primaryEmailId }: User) =>
  emailAddresses.find(({ id }) => id === primaryEmailId) ?? emailAddresses[0]

/** Returns what to call a person: the name, or whatever else identifies the person. */
export const userName = (user: User): string =>
  user.name ?? user.username ?? primaryEmail(user)?.email ?? user.phoneNumbers[0]?.phone ?? user.id

/** Returns what the person can type in to sign in. */
export const identifiersOf = (user: User): readonly string[] => [
  ...user.emailAddresses.map(({ email }) => email),
  ...user.phoneNumbers.map(({ phone }) => phone),
  ...(typeof user.username === 'string' ? [user.username] : []),
]

interface Account {
  readonly name: string
  readonly emailAddresses: readonly { readonly email: string }[]
}

/** Returns what to call a user: the name, else an address, else `other`. */
export function personName(account: Account | null, other: string): string {
  const name = account?.name ?? ''
  return name === '' ? (account?.emailAddresses[0]?.email ?? other) : name
}
