// Checks that the reference explains itself: everything that a caller meets there has a sentence.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  PublicAuth,
  TenantAuth,
  UpdateTenantAuth,
  UpdateTenantSession,
  frontendEndpoints,
  tenantAuthSettings,
  type FrontendEndpoint,
} from '@bailiwick/contract'
import { parseDocument, readDocument } from './openapi-document.ts'

interface Described {
  readonly description?: string
}
interface Operation extends Described {
  readonly operationId: string
  readonly parameters: readonly (Described & { readonly name: string })[]
}

const isTold = ({ description = '' }: Described) => description.trim().length > 5

for (const file of ['openapi.json', 'openapi-frontend.json']) {
  const { paths } = parseDocument<Operation>(readDocument(file))
  const operations = Object.values(paths).flatMap((item) => Object.values(item))

  describe(`${file}: the description of the interface`, () => {
    it('says what every operation does', () => {
      assert.ok(operations.length > 40)
      assert.deepEqual(
        operations.filter((operation) => !isTold(operation)).map(({ operationId }) => operationId),
        [],
      )
    })

    it('says what every parameter is', () => {
      const silent = operations.flatMap(({ operationId, parameters }) =>
        parameters.filter((parameter) => !isTold(parameter)).map(({ name }) => `${operationId} ${name}`),
      )
      assert.deepEqual(silent, [])
    })
  })
}

describe('the operations of the frontend interface', () => {
  it('each say more than their title', () => {
    const all: readonly FrontendEndpoint[] = Object.values(frontendEndpoints)
    assert.deepEqual(
      all.filter((endpoint) => !isTold(endpoint)).map(({ id }) => id),
      [],
    )
  })
})

describe('the settings of a tenant', () => {
  for (const [name, { properties }] of Object.entries({
    TenantAuth,
    UpdateTenantAuth,
    UpdateTenantSession,
    PublicAuth,
  })) {
    it(`are all described in ${name}, with their defaults`, () => {
      const described = properties as Readonly<Record<string, Described>>
      const names = Object.keys(described).filter((each) => each in tenantAuthSettings)
      assert.ok(names.length >= 4)
      for (const each of names) {
        const { description = '' } = described[each] ?? {}
        assert.match(description, /^[A-Z].{20,} (?:(?:On|Off) by default\.$|Default: )/s, each)
      }
    })
  }

  it('are complete', () => {
    assert.deepEqual(Object.keys(UpdateTenantAuth.properties).toSorted(), Object.keys(tenantAuthSettings).toSorted())
  })
})
