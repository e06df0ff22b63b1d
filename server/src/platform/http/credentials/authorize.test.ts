// What each member flag allows, as a complete table that is written by hand.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Permission,
  type RoleFlag,
  type Scope,
  type TenantPermission,
  endpoints,
  permissionFlags,
  roleFlags,
  scopes,
} from '@bailiwick/contract'
import { type TenantId, newId } from '../../ids.ts'
import { ApiError } from '../api-error.ts'
import { authorizeAtAll, authorizeInTenant, holds, knows } from './authorize.ts'
import { type Principal, operator } from './principal.ts'

const allowedBy: Readonly<Record<TenantPermission, readonly RoleFlag[]>> = {
  'users:read': ['roleAdmin', 'roleEditUsers', 'roleViewUsers'],
  'users:write': ['roleAdmin', 'roleEditUsers'],
  'organizations:read': ['roleAdmin', 'roleEditOrganizations', 'roleViewOrganizations'],
  'organizations:write': ['roleAdmin', 'roleEditOrganizations'],
  'config:read': ['roleAdmin', 'roleEditConfig', 'roleViewConfig'],
  'config:write': ['roleAdmin', 'roleEditConfig'],
  'billing:read': ['roleAdmin', 'roleEditBilling', 'roleViewBilling'],
  'billing:write': ['roleAdmin', 'roleEditBilling'],
  'media:read': ['roleAdmin', 'roleEditConfig', 'roleViewConfig'],
  'media:write': ['roleAdmin', 'roleEditConfig'],
  'events:read': ['roleAdmin'],
  'provider-tokens:use': ['roleAdmin'],
  admin: ['roleAdmin'],
}
/** In addition to `admin`, which allows everything. */
const allowedByScope: Readonly<Record<TenantPermission, readonly Scope[]>> = {
  'users:read': ['users:read', 'users:write'],
  'users:write': ['users:write'],
  'organizations:read': ['organizations:read', 'organizations:write'],
  'organizations:write': ['organizations:write'],
  'config:read': ['config:read', 'config:write'],
  'config:write': ['config:write'],
  'billing:read': ['billing:read', 'billing:write'],
  'billing:write': ['billing:write'],
  'media:read': ['media:read', 'media:write'],
  'media:write': ['media:write'],
  'events:read': ['events:read'],
  'provider-tokens:use': ['provider-tokens:use'],
  admin: [],
}
const permissions = Object.keys(permissionFlags) as TenantPermission[]

const own: TenantId = newId()
const other: TenantId = newId()

const consoleUser = (...flags: RoleFlag[]): Principal => ({
  type: 'console_user',
  tenantId: newId(),
  userId: newId(),
  sessionId: newId(),
  impersonatedBy: undefined,
  flags: new Map([[own, new Set(flags)]]),
})
const secretKey: Principal = { type: 'secret_key', tenantId: own }

const apiKey = (...given: Scope[]): Principal => ({
  type: 'api_key',
  tenantId: own,
  id: newId(),
  scopes: new Set(given),
  expiresAt: null,
})

const refusal = (principal: Principal, permission: Permission, tenantId: TenantId) => {
  try {
    authorizeInTenant(principal, permission, tenantId)
    return 'allowed'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.code
  }
}

describe('the rights of a console user', () => {
  for (const permission of permissions) {
    for (const flag of roleFlags) {
      const expected = allowedBy[permission].includes(flag) ? 'allowed' : 'forbidden'
      it(`${flag} alone makes ${permission} ${expected}`, () => {
        assert.equal(refusal(consoleUser(flag), permission, own), expected)
        assert.equal(holds(consoleUser(flag), permission, own), expected === 'allowed')
      })
    }

    it(`all flags but those that allow it leave ${permission} forbidden`, () => {
      const rest = roleFlags.filter((flag) => !allowedBy[permission].includes(flag))
      assert.equal(refusal(consoleUser(...rest), permission, own), 'forbidden')
    })

    it(`a member without a flag is forbidden ${permission}`, () => {
      assert.equal(refusal(consoleUser(), permission, own), 'forbidden')
    })

    it(`every flag in one tenant gives no ${permission} in another, which does not even exist`, () => {
      assert.equal(refusal(consoleUser(...roleFlags), permission, other), 'not_found')
      assert.equal(holds(consoleUser(...roleFlags), permission, other), false)
    })
  }

  it('cover only the tenants of its flags', () => {
    assert.deepEqual([knows(consoleUser(), own), knows(consoleUser(...roleFlags), other)], [true, false])
  })
})

describe('the rights of an API key', () => {
  const isAllowed = (scope: Scope, permission: TenantPermission) =>
    scope === 'admin' || allowedByScope[permission].includes(scope)
  for (const permission of permissions) {
    for (const scope of scopes) {
      const expected = isAllowed(scope, permission) ? 'allowed' : 'forbidden'
      it(`${scope} alone makes ${permission} ${expected}`, () => {
        assert.equal(refusal(apiKey(scope), permission, own), expected)
      })
    }

    it(`all scopes but those that allow it leave ${permission} forbidden`, () => {
      const rest = scopes.filter((scope) => !isAllowed(scope, permission))
      assert.equal(refusal(apiKey(...rest), permission, own), 'forbidden')
    })

    it(`every scope gives no ${permission} in another tenant, which does not even exist`, () => {
      assert.equal(refusal(apiKey(...scopes), permission, other), 'not_found')
      assert.equal(holds(apiKey(...scopes), permission, other), false)
    })
  }

  it('never let it create a tenant or act as a console user', () => {
    for (const permission of ['create-tenant', 'operator', 'console-user'] as const) {
      assert.throws(() => authorizeAtAll(apiKey(...scopes), { permission }), { code: 'forbidden' })
    }
  })
})

describe('the rights of keys', () => {
  for (const permission of permissions) {
    it(`a secret key holds ${permission} in its own tenant, and no other tenant exists for it`, () => {
      assert.equal(refusal(secretKey, permission, own), 'allowed')
      assert.equal(refusal(secretKey, permission, other), 'not_found')
      assert.equal(holds(secretKey, permission, other), false)
    })

    it(`the operator holds ${permission} everywhere`, () => {
      assert.deepEqual(
        [refusal(operator, permission, own), refusal(operator, permission, other)],
        ['allowed', 'allowed'],
      )
    })
  }

  it('let the operator and console users create tenants, never a key of one tenant', () => {
    assert.throws(() => authorizeAtAll(secretKey, { permission: 'create-tenant' }), { code: 'forbidden' })
    authorizeAtAll(operator, { permission: 'create-tenant' })
    authorizeAtAll(consoleUser(), { permission: 'create-tenant' })
  })

  // Guards: mail-relay
  it('reserve some operations for the operator, and tell everybody else what to do instead', () => {
    const operation = { permission: 'operator', alternative: 'ask somebody' } as const
    for (const principal of [secretKey, apiKey('admin'), consoleUser(...roleFlags)]) {
      assert.throws(() => authorizeAtAll(principal, operation), {
        code: 'forbidden',
        message: 'Only the operator can do this; ask somebody.',
      })
    }
    authorizeAtAll(operator, operation)
  })

  it('need no tenant for any other permission', () => {
    for (const permission of [...permissions, 'authenticated'] as const) authorizeAtAll(secretKey, { permission })
  })
})

describe('the permissions of the operations', () => {
  it('allow strangers only to see what a deployment is', () => {
    const open = Object.values(endpoints).filter((endpoint) => endpoint.permission === 'public')
    assert.deepEqual(
      open.map(({ id }) => id),
      ['getMeta'],
    )
  })

  it('refuse every change with a permission to read', () => {
    for (const { id, method, permission } of Object.values(endpoints)) {
      const isRead = permission.endsWith(':read') || permission === 'authenticated'
      const isPreview = /^(?:preview|explain|evaluate$|verifyUserApiKey$|signFile$)/.test(id)
      assert.ok(method === 'GET' || isPreview || !isRead, `${id} changes something with ${permission}`)
    }
  })
})
