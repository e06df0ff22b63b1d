import { randomUUID } from 'node:crypto'
import { Bailiwick } from '@bailiwick/sdk'
import type { TestSeed } from './seed.ts'
import { TestTenant } from './test-tenant.ts'

type Settings = NonNullable<Parameters<Bailiwick['putAuthTenant']>[0]>['body']

export interface TestTenantOptions {
  /** The base address of the management interface; `BAILIWICK_API_URL` by default, else `http://127.0.0.1:4000/api/v0`. */
  readonly url?: string
  /**
   * A key that may create tenants: the operator's (`op_…`), or the session of an administrator (`se_…`). `BAILIWICK_OPERATOR_KEY` by default;
   * a development deployment on the same machine needs none.
   */
  readonly key?: string
  /** 4 to 32 characters; made up by default. */
  readonly name?: string
  /** Settings that differ from those of a new tenant, as `PUT /auth/tenants/{id}` takes them. */
  readonly settings?: Settings
  readonly seed?: TestSeed
}

const defaultUrl = 'http://127.0.0.1:4000/api/v0'

function clientOf(url: string, key: string | undefined): Bailiwick {
  if (key === undefined) return new Bailiwick({ baseUrl: url })
  return new Bailiwick(key.startsWith('op_') ? { baseUrl: url, operatorKey: key } : { baseUrl: url, token: key })
}

/**
 * Creates a tenant for tests, whose environment is development: its test addresses have the code 424242, its messages can be read, and its
 * clock can be moved. Dispose of it when the tests are over.
 * @example
 * ```ts
 * import { createTestTenant } from '@bailiwick/testing'
 *
 * const tenant = await createTestTenant({ settings: { signUpEnabled: true } })
 * const session = await tenant.signIn(await tenant.createUser())
 * await tenant.advanceClock('30d')
 * await tenant.dispose()
 * ```
 * @throws BailiwickError as the operations do, test_mode_unavailable where the deployment does not allow test mode.
 */
export async function createTestTenant(options: TestTenantOptions = {}): Promise<TestTenant> {
  const { BAILIWICK_API_URL, BAILIWICK_OPERATOR_KEY } = process.env
  const { url = BAILIWICK_API_URL ?? defaultUrl, key = BAILIWICK_OPERATOR_KEY, settings, seed } = options
  const { name = `Test ${randomUUID().slice(0, 13)}` } = options
  const creator = clientOf(url, key)
  const created = await creator.createTenant({ body: { name, environment: 'development' } })
  if (created === null) throw new TypeError('the credential may not read the tenant that it has created')
  const params = { id: created.id }
  const remove = async () => void (await creator.deleteTenant({ params }))
  try {
    await creator.getTenantClock({ params })
    if (settings !== undefined) await creator.putAuthTenant({ params, body: settings })
    const env = (await creator.getTenantEnv({ params, query: {} })) as Readonly<Record<string, string>>
    const tenant = new TestTenant({ env, remove })
    if (seed !== undefined) await tenant.seed(seed)
    return tenant
  } catch (error) {
    await remove()
    throw error
  }
}
