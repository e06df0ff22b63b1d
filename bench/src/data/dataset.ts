// A database of a given size behind a running service, and the data that requests to it need.
import { type BailiwickServer, startBailiwick } from '../servers/bailiwick.ts'
import { openBulkEngine } from './bulk-engine.ts'
import { bulkTime, findRole, insertMembersAndUsers, insertTenants } from './bulk-rows.ts'
import { catchUp } from './deps-of-store.ts'
import { type Store, createStore } from './store.ts'

export const perPage = 20

export interface DatasetSize {
  readonly tenants: number
  readonly members: number
}

/** A tenant and the key that acts for it. */
export interface TenantAccess {
  readonly id: string
  readonly publicKey: string
  readonly secretKey: string
}

export interface Dataset {
  readonly size: DatasetSize
  readonly store: Store
  /** The tenant that has all the members. */
  readonly main: TenantAccess
  /** The console's tenant, whose users the members are. */
  readonly console: TenantAccess
  /** The role that a third of those users have. */
  readonly roleId: string
  /** The values of `?cursor=` for the first, the middle and the last page of the members. */
  readonly cursors: { readonly first: string; readonly middle: string; readonly last: string }
  /** The public keys of up to 10,000 tenants. */
  readonly publicKeys: readonly string[]
}

/** Makes one call as the operator, outside of what is measured. */
async function call<Body>(
  server: BailiwickServer,
  store: Store,
  method: string,
  path: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v0${path}`, {
    method,
    headers: {
      authorization: `Bearer ${store.operatorKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return JSON.parse(text) as Body
}

async function readAccess(server: BailiwickServer, store: Store, id: string): Promise<TenantAccess> {
  const env = await call<Record<string, string>>(server, store, 'GET', `/auth/tenants/${id}/env`)
  const publicKey = env['BAILIWICK_PUBLIC_KEY']
  const secretKey = env['BAILIWICK_SECRET_KEY']
  if (publicKey === undefined || secretKey === undefined) throw new Error(`tenant ${id} shows no keys`)
  return { id, publicKey, secretKey }
}

async function fill(store: Store, size: DatasetSize, mainId: string, consoleId: string): Promise<string[]> {
  const engine = await openBulkEngine(store)
  await insertTenants(engine, mainId, size.tenants - 1)
  await insertMembersAndUsers(engine, mainId, consoleId, size.members)
  const separator = '\n'
  const keys = await engine.value(
    `SELECT string_agg(public_key, '${separator}') FROM (SELECT public_key FROM tenants WHERE kind = 'tenant' LIMIT 10000) AS t`,
  )
  await engine.finish()
  await catchUp(store)
  await (await openBulkEngine(store)).finish()
  return keys.split(separator)
}

/** Creates the database: the service creates the schema and the first tenant, SQL the mass of rows. Then the service is stopped. */
export async function createDataset(
  directory: string,
  label: string,
  size: DatasetSize,
  postgresUrl: string | undefined,
  compileCache: string,
): Promise<Dataset> {
  const store = await createStore(directory, label, postgresUrl)
  const server = await startBailiwick(store, { compileCache })
  let main: TenantAccess
  let consoleTenant: TenantAccess
  let roleId: string
  try {
    const { id } = await call<{ id: string }>(server, store, 'POST', '/tenants', {
      name: 'Main',
      environment: 'production',
    })
    main = await readAccess(server, store, id)
    const engine = await openBulkEngine(store)
    const consoleId = await engine.value(`SELECT value FROM deployment WHERE name = 'console_tenant_id'`)
    roleId = await findRole(engine, consoleId)
    await engine.finish()
    consoleTenant = await readAccess(server, store, consoleId)
  } finally {
    await server.stop()
  }
  const publicKeys = await fill(store, size, main.id, consoleTenant.id)
  const cursors = {
    first: '',
    middle: `&cursor=${bulkTime(Math.floor(size.members / 2))}`,
    last: `&cursor=${bulkTime(perPage - 1)}`,
  }
  return { size, store, main, console: consoleTenant, roleId, cursors, publicKeys }
}
