// Demonstration data: tenants with a brand, roles, people and organizations, created by the same operations that a caller uses.
import { createOrganizationMember } from '../../identity/organizations/members.ts'
import { createOrganization } from '../../identity/organizations/organizations.ts'
import { createUser } from '../../identity/users/users.ts'
import type { Config } from '../../platform/config.ts'
import { readCounters } from '../../platform/db/counters.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import type { TenantId } from '../../platform/ids.ts'
import { createRole } from '../../tenancy/roles/roles.ts'
import { findTenantIdBySlug } from '../../tenancy/tenants/find-tenant.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { replaceBrand } from '../../tenancy/tenants/versions/brand.ts'
import { type CommandDeps, writing } from '../open-deployment.ts'
import { CommandRefused, type Outcome } from '../outcome.ts'
import { createTenant, ensureConsoleTenant } from '../tenant-lifecycle/create-tenant.ts'

const actor: Actor = { type: 'operator', id: null, ip: null, ua: null }
const colours = ['#0f766e', '#7c3aed', '#b45309', '#be123c', '#1d4ed8', '#4d7c0f']
const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Margaret', 'Tony']
const lastNames = ['Almeida', 'Bergström', 'Castro', 'Dubois', 'Eriksen', 'Fontana', 'García', 'Horváth', 'Ito']
const organizationsMax = 3
const password = 'a demonstration, nothing more'

const pick = (list: readonly string[], index: number) => list[index % list.length] ?? ''

async function seedPeople(deps: CommandDeps, tenantId: TenantId, slug: string, users: number) {
  const role = await createRole(deps, tenantId, { name: 'Editor', permissions: ['articles:write'] }, actor)
  const organizations = await Promise.all(
    Array.from({ length: Math.min(organizationsMax, users) }, (_, index) =>
      createOrganization(deps, tenantId, { name: `Team ${index + 1}` }, actor),
    ),
  )
  for (let index = 0; index < users; index++) {
    const name = `${pick(firstNames, index)} ${pick(lastNames, Math.floor(index / firstNames.length) + index)}`
    const email = `person-${index + 1}@${slug}.example`
    // A hash takes a core some tens of milliseconds, so only one person gets a password and can sign in.
    const rest = index === 0 ? { password, roleId: role.id } : {}
    const { row } = await createUser(deps, tenantId, { name, email, emailVerified: true, ...rest }, actor)
    const organization = organizations[index % organizations.length]
    if (organization === undefined) continue
    await createOrganizationMember(deps, tenantId, { organizationId: organization.id, userId: row.id }, actor)
  }
}

/** A tenant that exists already stays unchanged. */
async function seedTenant(deps: CommandDeps, number: number, users: number) {
  const slug = `demo-${number}`
  const existing = await findTenantIdBySlug(deps.db, slug)
  if (existing !== undefined) {
    const tenant = await deps.tenants.byId(existing)
    return { slug, publicKey: tenant?.row.public_key ?? null, isNew: false }
  }
  const { row } = await createTenant(deps, { name: `Demo ${number}`, slug, environment: 'development' }, actor)
  const primary = pick(colours, number - 1)
  await replaceBrand(deps, row.id, { primary, darkPrimary: primary, radius: '0.5rem' }, actor)
  await seedPeople(deps, row.id, slug, users)
  const counts = await readCounters(deps.db, row.id, ['users'])
  const tenant = await getTenant(deps, row.id)
  return { slug, publicKey: tenant.row.public_key, users: counts.get('users') ?? 0, isNew: true }
}

/** @param options how many of each; with `force` also in production. */
export async function seed(
  config: Config,
  options: { readonly tenants: number; readonly users: number; readonly force?: true },
): Promise<Outcome> {
  if (config.env === 'production' && options.force !== true) {
    throw new CommandRefused('this is a production deployment: use --force to create demonstration tenants')
  }
  return writing(config, async (deps) => {
    await ensureConsoleTenant(deps)
    const tenants: Awaited<ReturnType<typeof seedTenant>>[] = []
    for (let number = 1; number <= options.tenants; number++) {
      tenants.push(await seedTenant(deps, number, options.users))
    }
    const lines = tenants.map(
      ({ slug, publicKey, isNew }) => `${slug}  ${publicKey ?? 'deleted'}${isNew ? '' : '  (existed)'}`,
    )
    const signIn = `person-1@demo-1.example signs in with the password: ${password}`
    return { text: [...lines, signIn].join('\n'), json: { tenants, password } }
  })
}
