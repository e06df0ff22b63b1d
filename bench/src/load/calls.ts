// The measured calls, as requests.
import { type Dataset, type TenantAccess, perPage } from '../data/dataset.ts'
import { newTenantBody, newUserBody, unique } from './bodies.ts'
import { requestBytes } from './request.ts'

const base = '/api/v0'
const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

/** The same bytes every time. */
const constant = (bytes: Buffer) => () => bytes

export const lookUp = ({ main }: Dataset) =>
  constant(
    requestBytes({ method: 'GET', path: `${base}/tenants/pkey/${main.publicKey}`, headers: withKey(main.secretKey) }),
  )

/** A different tenant each time, in random order. */
export function lookUpAny({ store, publicKeys }: Dataset): () => Buffer {
  const headers = withKey(store.operatorKey)
  const requests = publicKeys.map((key) =>
    requestBytes({ method: 'GET', path: `${base}/tenants/pkey/${key}`, headers }),
  )
  return () => requests[Math.floor(Math.random() * requests.length)] ?? Buffer.alloc(0)
}

export const listMembers = ({ main }: Dataset, cursor: string) =>
  constant(
    requestBytes({
      method: 'GET',
      path: `${base}/tenants/${main.id}/members?perPage=${perPage}${cursor}`,
      headers: withKey(main.secretKey),
    }),
  )

/** The first page of the console's users who match `narrowing`, such as `&query=person`. */
export const listUsers = ({ console: { id, secretKey } }: Dataset, narrowing: string, rows = perPage) =>
  constant(
    requestBytes({
      method: 'GET',
      path: `${base}/auth/users?tenantId=${id}&perPage=${rows}${narrowing}`,
      headers: withKey(secretKey),
    }),
  )

export const listTenants = ({ store }: Dataset, rows: number) =>
  constant(
    requestBytes({ method: 'GET', path: `${base}/tenants?perPage=${rows}`, headers: withKey(store.operatorKey) }),
  )

export function createUser({ id, secretKey }: TenantAccess, password?: string): () => Buffer {
  const headers = withKey(secretKey)
  const more = password === undefined ? {} : { password }
  return () => {
    const body = JSON.stringify({ tenantId: id, ...newUserBody(), ...more })
    return requestBytes({ method: 'POST', path: `${base}/auth/users`, headers, body })
  }
}

/** Reads another of the users each time. */
export function readUser({ secretKey }: TenantAccess, userIds: readonly string[]): () => Buffer {
  const headers = withKey(secretKey)
  const requests = userIds.map((id) => requestBytes({ method: 'GET', path: `${base}/auth/users/${id}`, headers }))
  let count = 0
  return () => requests[count++ % requests.length] ?? Buffer.alloc(0)
}

/** Changes another of the users each time. */
export function updateUser({ secretKey }: TenantAccess, userIds: readonly string[]): () => Buffer {
  const headers = withKey(secretKey)
  let count = 0
  return () => {
    const path = `${base}/auth/users/${userIds[count++ % userIds.length] ?? ''}`
    return requestBytes({ method: 'PUT', path, headers, body: JSON.stringify({ name: `Person ${unique()}` }) })
  }
}

export function createTenant({ store }: Dataset): () => Buffer {
  const headers = withKey(store.operatorKey)
  return () => requestBytes({ method: 'POST', path: `${base}/tenants`, headers, body: JSON.stringify(newTenantBody()) })
}
