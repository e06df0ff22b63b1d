// The declaration that `bailiwick types` writes, as TypeScript and the packages read it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { createRole, createTenant } from '../../test/harness/factories.ts'
import { describeServiceOnce } from '../../test/harness/service.ts'
import type { TenantId } from '../platform/ids.ts'
import { tenantTypes } from './commands/types.ts'

const packages = join(import.meta.dirname, '../../../node_modules')
// Where packages of the workspace are found.
const cache = join(packages, '.cache')
const compiler = join(packages, 'typescript/bin/tsc')

/** Each line after @ts-expect-error must not compile: if it did, the compiler would complain about the comment. */
const program = `
import type { SessionJwt } from '@bailiwick/sdk/jwt'
import type { AcceptingAttributes, TenantPermission, TenantRole, WithAttributes } from '@bailiwick/sdk/types'
declare const jwt: SessionJwt
interface User { readonly id: string; readonly lastSignInAt: string | null; readonly publicMeta: unknown }
interface Organization { readonly id: string; readonly publicMeta: unknown }
interface Change { readonly username?: string; readonly publicMeta?: unknown; readonly attributes?: unknown }
declare const answer: WithAttributes<{ readonly user: User; readonly organization: Organization }>
declare const page: WithAttributes<{ readonly data: readonly User[]; readonly total: number }>
export const size: 'small' | 'large' | undefined = answer.user.publicMeta.size
export const seatsOfUser: number | undefined = page.data[0]?.publicMeta.seats
export const others: unknown = answer.organization.publicMeta
export const change: AcceptingAttributes<Change> = { publicMeta: { company: 'Acme', seats: 3 } }
export const write: AcceptingAttributes<Change> = { attributes: { size: 'small', company: null } }
export const claimed: 'small' | 'large' | undefined = jwt.size
export const plan: 'gold' | undefined = jwt.plan === 'gold' ? jwt.plan : undefined
export const text: string | undefined = jwt.plan
export const seats: number | null | undefined = jwt.seats
export const url: readonly (string | number | boolean)[] | undefined = jwt["https://a.example/it-s"]
export const department: string | readonly string[] | undefined = jwt.department
export const began: 'oidc' | 'saml' | undefined = jwt.began
export const subject: string = jwt.sub
export const role: TenantRole = 'Editor "in chief"'
export const permission: TenantPermission = 'articles:write'
// @ts-expect-error a name that is not an attribute of the tenant
export const misspelt = answer.user.publicMeta.compnay
// @ts-expect-error another type than the attribute has
export const wrongType: string | undefined = answer.user.publicMeta.seats
// @ts-expect-error a value that is none of the choices
export const wrongChange: AcceptingAttributes<Change> = { publicMeta: { size: 'huge' } }
// @ts-expect-error a name that is not an attribute, from the user
export const wrongWrite: AcceptingAttributes<Change> = { attributes: { compnay: 'Acme' } }
// @ts-expect-error a name that is not a claim of the tenant
export const wrong = jwt.plann
// @ts-expect-error a claim of a provider that may be a list
export const onlyText: string | undefined = jwt.department
// @ts-expect-error another type than the claim has
export const number: number | undefined = jwt.plan
// @ts-expect-error a role that the tenant does not have
export const nobody: TenantRole = 'Reader'
// @ts-expect-error a permission that no role gives
export const never: TenantPermission = 'articles:writ'
`

describeServiceOnce('bailiwick types', (service) => {
  it('declares the claims, roles, permissions and attributes of a tenant, so that a wrong name does not compile', async () => {
    const { tenant } = await createTenant(service())
    const permissions = ['articles:write', 'articles:read']
    await createRole(service(), tenant.id, { name: 'Editor "in chief"', permissions })
    const claim = (name: string, source: string, more: object = {}) => ({
      claim: name,
      in: ['session'],
      source,
      ...more,
    })
    await service().ok('putClaims', {
      params: { id: tenant.id },
      body: {
        claims: [
          claim('plan', 'user.publicMeta.plan', { as: 'string' }),
          claim('seats', 'user.publicMeta.seats', { as: 'number', ifMissing: 'null' }),
          claim('https://a.example/it-s', 'constant', { value: ['a'] }),
          claim('size', 'user.publicMeta.size'),
          claim('department', 'idp.claims.department'),
          claim('began', 'connection.type'),
        ],
      },
    })
    const attribute = (key: string, type: string, more: object = {}) => ({
      key,
      type,
      label: { en: key },
      writableBy: 'user',
      shownAt: 'profile',
      ...more,
    })
    const choices = [{ value: 'small' }, { value: 'large' }]
    const attributes = [
      attribute('size', 'choice', { choices }),
      attribute('company', 'text'),
      attribute('seats', 'number', { writableBy: 'server', shownAt: 'nowhere' }),
      attribute('member', 'boolean'),
    ]
    await service().ok('putAttributes', { params: { id: tenant.id }, body: { attributes } })
    const declaration = await tenantTypes(service().deps.db, tenant.id as TenantId)
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'tenant-types-'))
    try {
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      writeFileSync(join(folder, 'tenant.d.ts'), declaration)
      writeFileSync(join(folder, 'program.ts'), program)
      const options = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--allowImportingTsExtensions',
        '--module',
        'nodenext',
      ]
      const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, 'tenant.d.ts', 'program.ts'], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
