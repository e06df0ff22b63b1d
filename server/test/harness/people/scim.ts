// Directories of organizations, as Okta or Entra would call.
import assert from 'node:assert/strict'
import type { OrganizationDomain, ScimTokenWithToken, Tenant } from '@bailiwick/contract'
import type { InjectOptions } from 'fastify'
import { sql } from '../../../src/platform/db/sql.ts'
import { createConnection, createOrganization, createTenant, unique } from '../factories.ts'
import type { TestService } from '../service.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export type ScimBody = Record<string, unknown> & {
  readonly id: string
  readonly totalResults: number
  readonly itemsPerPage: number
  readonly Resources: readonly ScimBody[]
  readonly detail: string
  readonly scimType: string
}

export interface ScimAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: ScimBody
}

/** One directory's calls with one token. */
export class Directory {
  readonly service: TestService
  readonly path: string
  readonly token: string | undefined

  constructor(service: TestService, path: string, token: string | undefined) {
    this.service = service
    this.path = path
    this.token = token
  }

  async call(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimAnswer> {
    const { host } = new URL(this.service.deps.config.baseUrl)
    const options: InjectOptions = {
      method,
      url: this.path + path,
      headers: {
        host,
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const { status, headers: answered, text } = await this.service.request(options)
    if (text !== '') assert.match(String(answered['content-type']), /^application\/scim\+json/)
    return { status, headers: answered, body: (text === '' ? {} : JSON.parse(text)) as ScimBody }
  }

  /** Does the same; the answer must have this status. */
  async ok(status: number, ...args: Parameters<Directory['call']>): Promise<ScimBody> {
    const answer = await this.call(...args)
    if (answer.status !== status)
      throw new Error(`${args[0]} ${args[1]}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  find(filter: string, kind = 'Users') {
    return this.ok(200, 'GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  }

  createUser(body: object = {}) {
    return this.ok(201, 'POST', '/Users', { schemas: [userUrn], userName: unique(), ...body })
  }

  createGroup(displayName: string, memberIds: readonly string[] = []) {
    const members = memberIds.map((value) => ({ value }))
    return this.ok(201, 'POST', '/Groups', { schemas: [groupUrn], displayName, members })
  }

  patch(path: string, Operations: readonly object[], headers: Readonly<Record<string, string>> = {}) {
    return this.call('PATCH', path, { schemas: [patchUrn], Operations }, headers)
  }

  /** The same directory at another node, or with another token. */
  at(service: TestService, token = this.token): Directory {
    return new Directory(service, this.path, token)
  }
}

export async function createScimToken(service: TestService, connectionId: string, body: object = {}) {
  return service.ok<ScimTokenWithToken>('createScimToken', {
    params: { id: connectionId },
    body: { name: 'Directory', ...body },
  })
}

export async function openDirectory(service: TestService, connectionId: string): Promise<Directory> {
  const { token, baseUri } = await createScimToken(service, connectionId)
  return new Directory(service, new URL(baseUri).pathname, token)
}

/** As if the TXT record of the domain had been found. */
export async function proveDomain(service: TestService, organizationId: string, name: string): Promise<void> {
  const params = { organizationId }
  const { id } = await service.ok<OrganizationDomain>('createDomainOfOrganization', { params, body: { name } })
  await service.ok('verifyDomainOfOrganization', { params: { ...params, id } })
  const at = service.deps.clock.now()
  await service.deps.db.transaction((tx) =>
    tx.run(sql`UPDATE organization_domains SET dns_verified_at = ${at} WHERE id = ${id}`),
  )
}

export interface ScimWorld {
  readonly tenant: Tenant
  readonly organizationId: string
  readonly connectionId: string
  /** Verified by DNS. */
  readonly domain: string
  readonly directory: Directory
}

/** An organization with a verified domain, in a tenant of its own unless one is passed. */
export async function scimWorld(service: TestService, inTenant?: Tenant): Promise<ScimWorld> {
  const tenant = inTenant ?? (await createTenant(service)).tenant
  const { id: organizationId } = await createOrganization(service, tenant.id)
  const domain = `${unique()}.example`
  await proveDomain(service, organizationId, domain)
  const { id: connectionId } = await createConnection(service, organizationId)
  return { tenant, organizationId, connectionId, domain, directory: await openDirectory(service, connectionId) }
}

/** What a person in the organization's domain is sent as. */
export const person = (domain: string, name = unique(), more: object = {}) => ({
  userName: `${name}@${domain}`,
  name: { givenName: 'Ada', familyName: name },
  emails: [{ value: `${name}@${domain}`, type: 'work', primary: true }],
  displayName: `Ada ${name}`,
  active: true,
  ...more,
})

/** A user in a group, for a connection that has none. */
export async function provisionSome(service: TestService, connectionId: string) {
  const { id: spareScimTokenId, token, baseUri } = await createScimToken(service, connectionId)
  const directory = new Directory(service, new URL(baseUri).pathname, token)
  const { id } = await directory.createUser()
  const { id: scimGroupId } = await directory.createGroup('Engineering', [id])
  return { spareScimTokenId, scimGroupId }
}
