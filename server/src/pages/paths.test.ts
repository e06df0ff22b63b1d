import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pagePaths, pagesTakingFiles, pathsBelowTenant } from './paths.ts'
import type { PageRoute } from './page-route.ts'
import { belowTenant, routes } from './routes.ts'

const keyOf = ({ method, path }: PageRoute) => `${method} ${path}`

it('every page is bound under the path that it is listed with', () => {
  assert.deepEqual(pagePaths, routes.map(keyOf))
  assert.deepEqual(pathsBelowTenant, belowTenant.map(keyOf))
  const takingFiles = routes.filter(({ takesFile }) => takesFile === true)
  assert.deepEqual(pagesTakingFiles, takingFiles.map(keyOf))
})
