// Okta as the tests see it that Okta publishes for what it sends: administrators change its users, and it provisions them.
import { type Directory, patchUrn, userUrn } from '../people/scim.ts'
import type { SuiteAnswer, SuiteRequest } from './runscope.ts'

interface Profile {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly login: string
}

const answer = (status: number, body: object = {}): SuiteAnswer => ({ status, text: JSON.stringify(body) })

/** One user, who is assigned to one application, which is the directory. */
export class OktaOrganization {
  readonly #directory: Directory
  #profile: Profile | undefined
  #isGranted = false
  /** The id at the directory's other side. */
  #scimId: string | undefined

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** Answers requests of its interface for administrators. */
  async receive({ method, url, body }: SuiteRequest): Promise<SuiteAnswer> {
    const { pathname } = new URL(url)
    const sent = body === undefined ? {} : (JSON.parse(body) as { readonly profile?: Profile })
    switch (`${method} ${pathname}`) {
      case 'GET /api/v1/apps/app':
        return answer(200)
      case 'POST /api/v1/users':
        this.#profile = sent.profile
        return answer(200, { id: 'user' })
      case 'PUT /api/v1/users/user':
        this.#profile = sent.profile
        await this.#push()
        return answer(200)
      case 'POST /governance/api/v1/grants':
        this.#isGranted = true
        await this.#push()
        return answer(200)
      case 'POST /api/v1/apps/app/users':
        await this.#assign()
        return answer(200)
      case 'POST /api/v1/users/user/lifecycle/activate':
        return answer(200)
      case 'POST /api/v1/users/user/lifecycle/deactivate':
        await this.#deactivate()
        return answer(200)
      case 'DELETE /api/v1/apps/app/users/user':
        await this.#deactivate()
        return answer(204)
      default:
        throw new Error(`this Okta does not know ${method} ${pathname}`)
    }
  }

  #user() {
    const { firstName, lastName, email, login } = this.#profile ?? {}
    return {
      schemas: [userUrn],
      userName: login,
      name: { givenName: firstName, familyName: lastName },
      emails: [{ primary: true, value: email, type: 'work' }],
      displayName: `${firstName} ${lastName}`,
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      active: true,
      ...(this.#isGranted ? { roles: [{ value: 'admin' }], entitlements: [{ value: '1', type: 'License' }] } : {}),
    }
  }

  /** Okta looks for the user first, and takes one that is there. */
  async #assign() {
    const { Resources } = await this.#directory.find(`userName eq "${this.#profile?.login}"`)
    this.#scimId = Resources[0]?.id
    if (this.#scimId !== undefined) return this.#push()
    const { id } = await this.#directory.ok(201, 'POST', '/Users', { ...this.#user(), password: '1mz050nq' })
    this.#scimId = id
  }

  /** Okta reads a user before it replaces it. */
  async #push() {
    if (this.#scimId === undefined) return
    const path = `/Users/${this.#scimId}`
    const present = await this.#directory.ok(200, 'GET', path)
    await this.#directory.ok(200, 'PUT', path, { ...present, ...this.#user() })
  }

  async #deactivate() {
    const Operations = [{ op: 'replace', value: { active: false } }]
    await this.#directory.ok(200, 'PATCH', `/Users/${this.#scimId}`, { schemas: [patchUrn], Operations })
  }
}
