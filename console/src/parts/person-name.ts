interface Account {
  readonly name: string
  readonly emailAddresses: readonly { readonly email: string }[]
}

/** Returns what to call a user: the name, else an address, else `other`. */
export function personName(account: Account | null, other: string): string {
  const name = account?.name ?? ''
  return name === '' ? (account?.emailAddresses[0]?.email ?? other) : name
}
