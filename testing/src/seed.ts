// Users, roles and organizations for a test, by the operations that everybody has.
import { randomUUID } from 'node:crypto'
import type { Bailiwick } from '@bailiwick/sdk'

/** What is said about a user; the rest is made up. */
export interface TestUserInput {
  /** By default one that no other user has, whose codes are fixed: `…+test@example.com`. */
  readonly email?: string
  readonly name?: string
  readonly password?: string
  readonly username?: string
  /** The name of a role of the same seed. */
  readonly role?: string
}

export interface TestUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password: string
}

export interface TestRole {
  readonly id: string
  readonly name: string
}

export interface TestOrganization {
  readonly id: string
  readonly name: string
}

/** What a test begins with. */
export interface TestSeed {
  /** Permissions by the name of the role. */
  readonly roles?: Readonly<Record<string, readonly string[]>>
  /** How many users, or what is said about each. */
  readonly users?: number | readonly TestUserInput[]
  /** The members by the name of the organization: the place of a user in `users`, with the name of a role if it has one. */
  readonly organizations?: Readonly<
    Record<string, readonly (number | { readonly user: number; readonly role: string })[]>
  >
}

export interface Seeded {
  readonly roles: readonly TestRole[]
  readonly users: readonly TestUser[]
  readonly organizations: readonly TestOrganization[]
}

interface Place {
  readonly bailiwick: Bailiwick
  readonly tenantId: string
}

/** How many users are created at the same time, because each takes the hashing of a password. */
const atOnce = 4

export const newAddress = () => `user-${randomUUID().slice(0, 13)}+test@example.com`

const roleId = (roles: readonly TestRole[], name: string | undefined) => {
  if (name === undefined) return undefined
  const role = roles.find((each) => each.name === name)
  if (role === undefined) throw new TypeError(`the seed has no role ${name}`)
  return role.id
}

export async function createTestUser(
  { bailiwick, tenantId }: Place,
  { email = newAddress(), name = 'Ada Test', password = `Pw-${randomUUID()}`, username, role }: TestUserInput,
  roles: readonly TestRole[] = [],
): Promise<TestUser> {
  const id = roleId(roles, role)
  const optional = { ...(username === undefined ? {} : { username }), ...(id === undefined ? {} : { roleId: id }) }
  const body = { tenantId, name, email, password, emailVerified: true, ...optional }
  const user = await bailiwick.createUser({ body })
  return { id: user.id, email, name, password }
}

async function createRoles({ bailiwick, tenantId }: Place, roles: NonNullable<TestSeed['roles']>) {
  const created: TestRole[] = []
  for (const [name, permissions] of Object.entries(roles)) {
    const { id } = await bailiwick.createRole({ body: { tenantId, name, permissions: [...permissions] } })
    created.push({ id, name })
  }
  return created
}

async function createUsers(place: Place, inputs: readonly TestUserInput[], roles: readonly TestRole[]) {
  const users: TestUser[] = []
  for (let start = 0; start < inputs.length; start += atOnce) {
    const some = inputs.slice(start, start + atOnce)
    users.push(...(await Promise.all(some.map((input) => createTestUser(place, input, roles)))))
  }
  return users
}

/** @throws TypeError for a member or role that the seed does not have; BailiwickError as the operations do. */
export async function plantSeed(place: Place, seed: TestSeed): Promise<Seeded> {
  const { bailiwick, tenantId } = place
  const roles = await createRoles(place, seed.roles ?? {})
  const inputs = typeof seed.users === 'number' ? Array.from({ length: seed.users }, () => ({})) : (seed.users ?? [])
  const users = await createUsers(place, inputs, roles)
  const organizations: TestOrganization[] = []
  for (const [name, members] of Object.entries(seed.organizations ?? {})) {
    const organization = await bailiwick.createOrganization({ body: { tenantId, name } })
    organizations.push({ id: organization.id, name })
    for (const member of members) {
      const { user, role } = typeof member === 'number' ? { user: member, role: undefined } : member
      const userId = users[user]?.id
      if (userId === undefined) throw new TypeError(`${name} names the user ${user}, and the seed has ${users.length}`)
      const id = roleId(roles, role)
      const given = id === undefined ? {} : { roleId: id }
      await bailiwick.createOrganizationMember({ body: { organizationId: organization.id, userId, ...given } })
    }
  }
  return { roles, users, organizations }
}
