// Okta's own tests of SCIM interfaces, as Okta publishes them for Runscope. The files are Okta's and are not part of this repository: they are in
// okta/okta-developer-docs, in the folder public/standards/SCIM/SCIMFiles, and are read from the folder that OKTA_SCIM_SUITES names.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { unique } from '../../../test/harness/factories.ts'
import { type ScimWorld, person, scimWorld } from '../../../test/harness/people/scim.ts'
import { OktaOrganization } from '../../../test/harness/scim/okta-organization.ts'
import { type Suite, type SuiteAnswer, type SuiteRequest, runSuite } from '../../../test/harness/scim/runscope.ts'
import { type TestService, describeService } from '../../../test/harness/service.ts'

const folder = process.env['OKTA_SCIM_SUITES'] ?? ''
/** Says why a file cannot be run. */
const skipWithout = (file: string) =>
  existsSync(join(folder, file))
    ? {}
    : { skip: `did not run: OKTA_SCIM_SUITES names no folder with ${file} (okta/okta-developer-docs)` }

const oktaUrl = 'https://acme.okta.test'

/** What the scripts set that Okta tells its partners to run before its tests. */
function variables({ directory, domain }: ScimWorld) {
  const [firstName, lastName] = ['Runscope742', unique()]
  const email = `${firstName}${lastName}@${domain}`
  const [baseUrl, auth] = [`https://id.test${directory.path}`, `Bearer ${directory.token}`]
  return {
    SCIMBaseURL: baseUrl,
    SCIMUrl: baseUrl,
    auth,
    SCIMAuth: auth,
    randomGivenName: firstName,
    randomFamilyName: lastName,
    randomEmail: email,
    randomUsername: email,
    randomUsernameCaps: email.toUpperCase(),
    InvalidUserEmail: `abcdefgh@${domain}`,
    UserIdThatDoesNotExist: '010101001010101011001010101011',
    oktaOrgUrl: oktaUrl,
    oktaAppId: 'app',
    oktaToken: 'only-for-this-test',
    okta_user_firstname: firstName,
    okta_user_lastname: lastName,
    okta_user_firstname_update: `${firstName}update`,
    okta_user_email: email,
    okta_user_title: 'Engineer',
    okta_user_primaryphone: '415.123.4567',
  }
}

async function send(service: TestService, { method, url, headers, body }: SuiteRequest): Promise<SuiteAnswer> {
  const { host, pathname, search } = new URL(url)
  const { status, text } = await service.request({
    method,
    url: pathname + search,
    headers: { ...headers, host },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status, text }
}

/** Runs a suite for a directory that has provisioned a user already, as Okta requires it. */
async function run(service: TestService, file: string, more: Readonly<Record<string, string>> = {}) {
  const world = await scimWorld(service)
  const { directory, domain } = world
  const { id } = await directory.createUser(person(domain))
  await directory.createGroup('Engineering', [id])
  const okta = new OktaOrganization(directory)
  const suite = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Suite
  assert.ok(suite.steps.length > 0)
  return runSuite(suite, { ...variables(world), ...more }, (request) =>
    request.url.startsWith(oktaUrl) ? okta.receive(request) : send(service, request),
  )
}

describeService("Okta's published tests", (service) => {
  for (const name of ['SPEC', 'CRUD', 'With-Entitlements-CRUD']) {
    const file = `Okta-SCIM-20-${name}-Test.json`
    it(`pass: ${file}`, skipWithout(file), async () => {
      assert.deepEqual(await run(service(), file), [])
    })
  }

  const entitlements = 'Okta-SCIM-20-Entitlements-Test.json'
  it(
    'of entitlements pass for groups, which give roles here, and find no list of roles',
    skipWithout(entitlements),
    async () => {
      assert.deepEqual(await run(service(), entitlements, { EntitlementEndpoint: '/Groups' }), [])
      const failures = await run(service(), entitlements, { EntitlementEndpoint: '/Roles' })
      assert.match(failures[0]?.answer ?? '', /^404 .*There is nothing at this address/)
    },
  )
})
