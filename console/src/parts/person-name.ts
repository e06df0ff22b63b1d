interface Person {
  readonly name: string
  readonly emailAddresses: readonly { readonly email: string }[]
}

/** Returns what to call a person: the name, else an address, else `other`. */
export function personName(person: Person | null, other: string): string {
  const name = person?.name ?? ''
  return name === '' ? (person?.emailAddresses[0]?.email ?? other) : name
}
