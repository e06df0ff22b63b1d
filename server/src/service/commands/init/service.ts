// Talks to the running service as any program does, over its management interface.
import { CommandRefused } from '../../outcome.ts'

export interface ServiceOptions {
  readonly url: string
  /** A secret key or an operator key; none for a development deployment on the same machine. */
  readonly key?: string | undefined
}

export interface FoundTenant {
  readonly id: string
  readonly name: string
  readonly slug: string
}

interface AuthSettings {
  readonly homeUri?: string | null
  readonly redirectUris?: readonly string[]
}

const timeoutMs = 10_000

/** Returns the base address of the management interface, of whatever address of the deployment. */
export function apiAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new CommandRefused(`--url must be the address of the service, such as https://id.example.com, not ${url}`)
  }
  return `${parsed.origin}/api/v0`
}

export class Service {
  readonly #address: string
  readonly #key: string | undefined

  constructor({ key, url }: ServiceOptions) {
    this.#address = apiAddress(url)
    this.#key = key
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = {
      accept: 'application/json',
      ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    let response: Response
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      response = await fetch(this.#address + path, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      })
    } catch {
      throw new CommandRefused(
        `No service answers at ${this.#address}. Start one with \`npx bailiwick\` in another terminal, or name its address with --url.`,
      )
    }
    const answer = (await response.json().catch(() => undefined)) as { readonly message?: string } | undefined
    if (response.ok && answer !== undefined) return answer as Answer
    if (response.status === 401) {
      throw new CommandRefused(
        `The service at ${this.#address} needs a valid key. Set BAILIWICK_SECRET_KEY to the secret key of a tenant, or BAILIWICK_OPERATOR_KEY.`,
      )
    }
    throw new CommandRefused(
      `The service at ${this.#address} refused ${method} ${path} with status ${response.status}: ${answer?.message ?? 'it is not the answer of a Bailiwick service'}`,
    )
  }

  /** Returns the tenants that the key may see. */
  listTenants(): Promise<readonly FoundTenant[]> {
    return this.#call('GET', '/tenants')
  }

  async findTenant(idOrSlug: string): Promise<FoundTenant> {
    const bySlug = await this.#call<FoundTenant | null>('GET', `/tenants/slug/${encodeURIComponent(idOrSlug)}`)
    return bySlug ?? this.#call('GET', `/tenants/${encodeURIComponent(idOrSlug)}`)
  }

  createTenant(name: string): Promise<FoundTenant> {
    return this.#call('POST', '/tenants', { name, environment: 'development' })
  }

  /** Returns the variables of a tenant's environment. */
  environment(id: string): Promise<Readonly<Record<string, string>>> {
    return this.#call('GET', `/auth/tenants/${id}/env`)
  }

  /** Lets sign-ins end at the app: at its home if the tenant has none, otherwise at one more address. */
  async allowReturn(id: string, appUrl: string) {
    const path = `/auth/tenants/${id}`
    const { auth = {} } = await this.#call<{ readonly auth?: AuthSettings }>('GET', path)
    const { homeUri, redirectUris = [] } = auth
    if (homeUri === appUrl || redirectUris.includes(appUrl)) return
    const isFirst = homeUri === undefined || homeUri === null
    await this.#call('PUT', path, isFirst ? { homeUri: appUrl } : { redirectUris: [...redirectUris, appUrl] })
  }
}
