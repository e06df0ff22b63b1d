// Domains of services for disposable e-mail addresses, from the package disposable-email-domains. They are read when a tenant first asks,
// and kept as one text of 2 MB, which takes a quarter of the memory of a set.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
let text: string | undefined

function read(): string {
  const files = ['disposable-email-domains/index.json', 'disposable-email-domains/wildcard.json']
  const lists = files.map((file) => JSON.parse(readFileSync(resolve(file), 'utf8')) as readonly string[])
  return `\n${lists.flat().join('\n')}\n`
}

/** @param domains a domain in ASCII, and those above it. */
export function isDisposable(domains: readonly string[]): boolean {
  text ??= read()
  const all = text
  return domains.some((domain) => all.includes(`\n${domain}\n`))
}
