interface Person {
  readonly name: string
  readonly emailAddresses: readonly { readonly email: string }[]
}

/** What to call somebody: the name, else an address, else what else is known. */
export function personName(person: Person | null, other: string): string {
  const name = person?.name ?? ''
  return name === '' ? (person?.emailAddresses[0]?.email ?? other) : name
}
