// The bodies of the calls that create records: each slightly different, because of unique columns.
import { randomBytes } from 'node:crypto'

const prefix = randomBytes(4).toString('hex')
let count = 0

/** Returns a text that differs in every process and at every call; short enough for a slug. */
export const unique = () => `${prefix}-${(count++).toString(36)}`

export function newUserBody() {
  const name = unique()
  return {
    email: `${name}@people.example`,
    name: `Person ${name}`,
    username: `u-${name}`,
    publicMeta: { locale: 'en' },
  }
}

export function newTenantBody() {
  const name = unique()
  return { name: `Tenant ${name}`, environment: 'production' as const, slug: `t-${name}` }
}
