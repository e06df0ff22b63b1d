// Creates the first administrator, or a later one: an account at the console and, if a tenant is named, all rights in it.
import { text } from 'node:stream/consumers'
import { CreateConsoleUser, CreateTenant, emailKey, roleFlags } from '@bailiwick/contract'
import { createConsoleUser } from '../../flows/console-user/create-console-user.ts'
import { createTenantMember } from '../../identity/tenant-members/tenant-members.ts'
import { findUserByEmail } from '../../identity/users/find-user.ts'
import type { Config } from '../../platform/config.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { issuesOf } from '../../platform/http/body/validate.ts'
import type { Actor } from '../../platform/http/credentials/principal.ts'
import { getTenant } from '../../tenancy/tenants/tenants.ts'
import { type CommandDeps, writing } from '../open-deployment.ts'
import { CommandRefused, type Outcome, exitStatus } from '../outcome.ts'
import { createTenant, ensureConsoleTenant } from '../tenant-lifecycle/create-tenant.ts'
import { askTwice } from './terminal/ask.ts'
import { getNamedTenant } from './terminal/named-tenant.ts'

const actor: Actor = { type: 'operator', id: null, ip: null, ua: null }
const allFlags = Object.fromEntries(roleFlags.map((flag) => [flag, true]))

export interface AdministratorOptions {
  readonly email: string
  readonly name?: string
  /** The id or slug. */
  readonly tenant?: string
  readonly newTenant?: string
}

/** Read from standard input, never from the command line, which others on the machine can see. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) return askTwice('Password: ')
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}

/** The options in the form that the interface's own operations accept. */
function check({ email, name, tenant, newTenant }: AdministratorOptions) {
  if (tenant !== undefined && newTenant !== undefined) {
    throw new CommandRefused('--tenant and --new-tenant cannot be used together', exitStatus.usage)
  }
  const ofPerson = issuesOf(CreateConsoleUser, { email, ...(name === undefined ? {} : { name }) })
  const ofTenant = newTenant === undefined ? [] : issuesOf(CreateTenant, { name: newTenant, environment: 'production' })
  const refused = [
    ...ofPerson.map(({ path, message }) => `--${path.slice(1)} ${message}`),
    ...ofTenant.map(({ message }) => `--new-tenant ${message}`),
  ]
  if (refused.length > 0) throw new CommandRefused(refused.join('; '), exitStatus.usage)
}

/** Returns the console user who has the address, creating one if there is none. */
async function accountOf(deps: CommandDeps, { email, name }: AdministratorOptions) {
  const consoleTenantId = await ensureConsoleTenant(deps)
  const existing = await findUserByEmail(deps.db, consoleTenantId, emailKey(email))
  if (existing !== undefined) return { id: existing.id, isNew: false }
  const password = await readPassword()
  const input = { email, password, ...(name === undefined ? {} : { name }) }
  const issues = issuesOf(CreateConsoleUser, input)
  if (issues.length > 0) throw new ApiError('validation_failed', { issues })
  const { row } = await createConsoleUser(deps, input, actor)
  return { id: row.id, isNew: true }
}

async function tenantOf(deps: CommandDeps, { tenant, newTenant }: AdministratorOptions) {
  if (tenant !== undefined) return getNamedTenant(deps.db, tenant)
  if (newTenant === undefined) return null
  const { row } = await createTenant(deps, { name: newTenant, environment: deps.config.env }, actor)
  return { id: row.id, slug: row.slug }
}

const problemOf = ({ message, issues }: ApiError) =>
  [message, ...issues.map(({ path, message: rule }) => `${path.slice(1)} ${rule}`)].join(' ')

async function create(deps: CommandDeps, options: AdministratorOptions): Promise<Outcome> {
  // A missing tenant is reported before anything is created.
  if (options.tenant !== undefined) await getNamedTenant(deps.db, options.tenant)
  const account = await accountOf(deps, options)
  const tenant = await tenantOf(deps, options)
  const { email } = options
  if (tenant !== null) await createTenantMember(deps, tenant.id, { email, ...allFlags }, actor)
  const { row } = await getTenant(deps, await ensureConsoleTenant(deps))
  const made = `${email} ${account.isNew ? 'has a new account' : 'already had an account'} at the console`
  const administers =
    tenant === null ? 'and was not added to a tenant' : `and administers ${tenant.slug} (${tenant.id})`
  return {
    text: `${made} ${administers}.\nSign in with the console's public key ${row.public_key}.`,
    json: { userId: account.id, isNew: account.isNew, email, tenant, consolePublicKey: row.public_key },
  }
}

/** The password of a new account is read from standard input. */
export async function createAdministrator(config: Config, options: AdministratorOptions): Promise<Outcome> {
  check(options)
  return writing(config, async (deps) => {
    try {
      return await create(deps, options)
    } catch (error) {
      if (error instanceof ApiError) throw new CommandRefused(problemOf(error))
      throw error
    }
  })
}
