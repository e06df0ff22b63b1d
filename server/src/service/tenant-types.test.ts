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

// Where packages of the workspace are found.
const cache = join(import.meta.dirname, '../../../node_modules/.cache')

/** Each line after @ts-expect-error must not compile: if it did, the compiler would complain about the comment. */
const program = `
import type { SessionJwt } from '@bailiwick/sdk/jwt'
import type { TenantPermission, TenantRole } from '@bailiwick/sdk/types'
declare const jwt: SessionJwt
export const plan: 'gold' | undefined = jwt.plan === 'gold' ? jwt.plan : undefined
export const text: string | undefined = jwt.plan
export const seats: number | null | undefined = jwt.seats
export const url: readonly (string | number | boolean)[] | undefined = jwt["https://a.example/it-s"]
export const subject: string = jwt.sub
export const role: TenantRole = 'Editor "in chief"'
export const permission: TenantPermission = 'articles:write'
// @ts-expect-error a name that is not a claim of the tenant
export const wrong = jwt.plann
// @ts-expect-error another type than the claim has
export const number: number | undefined = jwt.plan
// @ts-expect-error a role that the tenant does not have
export const nobody: TenantRole = 'Reader'
// @ts-expect-error a permission that no role gives
export const never: TenantPermission = 'articles:writ'
`

describeServiceOnce('bailiwick types', (service) => {
  it('declares the claims, roles and permissions of a tenant, so that a wrong name does not compile', async () => {
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
        ],
      },
    })
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
      const { stdout, status } = spawnSync('tsc', [...options, 'tenant.d.ts', 'program.ts'], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
