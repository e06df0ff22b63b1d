// What the page knows about the signed-in user: one store for all hooks and components below a provider.
import type { BrowserAccount } from '@bailiwick/contract'
import {
  type BailiwickFrontendOptions,
  type TokenStore,
  createFrontendClient,
  isBailiwickError,
} from '@bailiwick/sdk/frontend'
import { type AuthState, type InitialState, type Snapshot, readSession } from './auth-state.ts'
import { browserAddress } from './hosted-pages.ts'
import { TabChannel, type TabMessage } from './tab-channel.ts'

export interface AuthStoreOptions {
  readonly frontendApiUrl: string
  readonly publicKey: string
  readonly tokens?: TokenStore | undefined
  readonly initialState?: InitialState | undefined
}

/** The operations that are needed while no form is shown. */
const operations = {
  createOwnToken: { method: 'POST', path: '/user/sessions/token' },
  endOwnSessions: { method: 'POST', path: '/user/sessions/end' },
  getPublicTenantByKey: { method: 'GET', path: '/tenants/pkey/{publicKey}' },
  listOwnOrganizations: { method: 'GET', path: '/user/organizations' },
  setActiveOrganization: { method: 'PUT', path: '/user/sessions/organization' },
} as const

/** When a page becomes visible again, it asks who is signed in, but not more often than this. */
const checkedMsMin = 5000

const initialAuth = (initial: InitialState | undefined): AuthState => {
  if (initial === undefined) return { status: 'loading' }
  return initial === null ? { status: 'signed_out' } : { status: 'signed_in', ...initial }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export class AuthStore {
  /** The options for every client of the service. */
  readonly connection: BailiwickFrontendOptions
  /** The state with which the server has rendered the page. */
  readonly initial: Snapshot
  readonly #client: ReturnType<typeof createFrontendClient<keyof typeof operations>>
  readonly #publicKey: string
  readonly #hasCookie: boolean
  readonly #channel: TabChannel
  readonly #listeners = new Set<() => void>()
  #snapshot: Snapshot
  /** Counts the questions, because only the answer to the latest one is used. */
  #question = 0
  #isAsking = false
  #checkedAtMs = 0
  #tenant: Promise<void> | undefined
  #organizations: Promise<void> | undefined

  constructor({ frontendApiUrl, publicKey, tokens, initialState }: AuthStoreOptions) {
    const baseUrl = browserAddress(frontendApiUrl)
    this.connection = { baseUrl, publicKey, ...(tokens === undefined ? {} : { tokens }) }
    this.#client = createFrontendClient(this.connection, operations)
    this.initial = { auth: initialAuth(initialState), organizations: undefined, tenant: undefined }
    this.#snapshot = this.initial
    this.#publicKey = publicKey
    this.#hasCookie = tokens === undefined
    this.#channel = new TabChannel(publicKey)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows the session until the returned function is called. */
  start(): () => void {
    const check = () => {
      if (document.visibilityState === 'visible') void this.#check()
    }
    const close = this.#channel.open((message) => this.#receive(message))
    const until = new AbortController()
    const { signal } = until
    document.addEventListener('visibilitychange', check, { signal })
    for (const type of ['pageshow', 'online']) window.addEventListener(type, check, { signal })
    void this.#check()
    return () => {
      close()
      until.abort()
    }
  }

  /** Asks the service who is signed in. */
  readonly refresh = async (): Promise<void> => {
    const question = ++this.#question
    this.#isAsking = true
    const auth = await this.#ask()
    if (question !== this.#question) return
    this.#isAsking = false
    this.#checkedAtMs = Date.now()
    this.#setAuth(auth)
  }

  /** Asks again after a change, and tells the other tabs. */
  readonly changed = async (): Promise<void> => {
    await this.refresh()
    if (this.#snapshot.organizations !== undefined) await this.#loadOrganizations()
    this.#post(true)
  }

  /** Returns null if nobody is signed in. */
  readonly getToken = async (): Promise<string | null> => {
    try {
      return await this.#client.token()
    } catch (error) {
      if (!isBailiwickError(error, 'unauthenticated')) throw error
      this.#signedOut()
      return null
    }
  }

  /** Resolves with the address at which the browser signs out at the provider of the user's organization, if there is one. */
  readonly signOut = async (): Promise<string | undefined> => {
    let provider: string | undefined
    try {
      provider = (await this.#client.endOwnSessions()).providerSignOutUri
    } catch (error) {
      if (!isBailiwickError(error, 'unauthenticated')) throw error
    }
    this.#signedOut()
    this.#post(false)
    return provider
  }

  readonly setActiveOrganization = async (id: string | null): Promise<void> => {
    await this.#client.setActiveOrganization({ body: { organizationId: id } })
    await this.refresh()
    this.#post(true)
  }

  readonly setAccounts = (accounts: readonly BrowserAccount[]): void => this.#set({ accounts })

  /** Fetches the organizations unless they are known or being fetched. */
  async wantOrganizations(): Promise<void> {
    if (this.#snapshot.organizations === undefined) await this.#loadOrganizations()
  }

  /** Loads the tenant's appearance and settings once. */
  loadTenant(): Promise<void> {
    this.#tenant ??= this.#client
      .getPublicTenantByKey({ params: { publicKey: this.#publicKey } })
      .then(({ tenant }) => this.#set({ tenant }))
      .catch((error: unknown) => {
        this.#tenant = undefined
        throw error
      })
    return this.#tenant
  }

  async #check(): Promise<void> {
    if (this.#isAsking || Date.now() - this.#checkedAtMs < checkedMsMin) return
    const isFirst = this.#snapshot.auth.status === 'loading'
    const before = this.#userId()
    await this.refresh()
    if (isFirst || this.#userId() !== before) this.#post(false)
  }

  async #ask(): Promise<AuthState> {
    try {
      const { jwt, sessionUser } = await this.#client.createOwnToken({ body: {} })
      return { status: 'signed_in', user: sessionUser, session: readSession(jwt) }
    } catch (error) {
      if (isBailiwickError(error, 'unauthenticated')) return { status: 'signed_out' }
      // The service cannot be reached: the previous state is kept.
      return this.#snapshot.auth.status === 'loading' ? { status: 'loading', error } : this.#snapshot.auth
    }
  }

  /** If the service cannot be reached, the next caller tries again. */
  #loadOrganizations(): Promise<void> {
    const userId = this.#userId()
    this.#organizations ??= this.#client
      .listOwnOrganizations({ query: { perPage: '100' } })
      .then(({ organizations }) => {
        if (this.#userId() === userId) this.#set({ organizations })
      })
      .catch(() => undefined)
      .finally(() => {
        this.#organizations = undefined
      })
    return this.#organizations
  }

  #receive({ userId, isChanged }: TabMessage) {
    // Tabs share a cookie, but not always the tokens that an app keeps itself.
    if (userId === null && this.#hasCookie) this.#signedOut()
    else if (isChanged || userId !== this.#userId()) void this.refresh()
  }

  #signedOut() {
    this.#question++
    this.#isAsking = false
    this.#setAuth({ status: 'signed_out' })
  }

  #userId(): string | null {
    const { auth } = this.#snapshot
    return auth.status === 'signed_in' ? auth.user.id : null
  }

  #post(isChanged: boolean) {
    // There is nothing to tell while nothing is known.
    if (this.#snapshot.auth.status === 'loading') return
    this.#channel.post({ userId: this.#userId(), isChanged })
  }

  #setAuth(auth: AuthState) {
    const before = this.#userId()
    if (!isSame(auth, this.#snapshot.auth)) this.#set({ auth })
    // Otherwise the previous user's organizations would be shown for a moment.
    if (this.#userId() !== before && this.#snapshot.organizations !== undefined) {
      this.#set({ organizations: undefined })
      if (auth.status === 'signed_in') void this.#loadOrganizations()
    }
  }

  #set(change: Partial<Snapshot>) {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}
