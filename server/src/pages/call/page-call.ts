// One request for a page: its tenant, the signed-in user, the form, and the ways to answer.
import type { BodyOf, DataOf, FrontendEndpoint, PagesDocument, ParamsOf, QueryOf } from '@bailiwick/contract'
import { type Frame, type MessageView, type TextOf, messagePage, textOf } from '@bailiwick/pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FrontendCall, type PageInput } from '../../flows/frontend/frontend-call.ts'
import type { FrontendInterface } from '../../flows/frontend/frontend-steps.ts'
import type { Deps } from '../../identity/deps.ts'
import type { LiveSession } from '../../identity/sessions/live-session.ts'
import { numberOf } from '../../platform/cache/memory.ts'
import { sendSoon } from '../../platform/http/answer.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { hostedPath, hostedRoot } from '../../tenancy/tenants/hosted-pages.ts'
import type { TenantEntry } from '../../tenancy/tenants/tenant-entry.ts'
import { alikePage } from './alike-pages.ts'
import { formToken } from './browser-token.ts'
import { FileForm } from './file-form.ts'
import { type PageLanguages, overridesOf } from './language.ts'
import { leavingPage } from './leaving.ts'
import { addressOfState } from './state-address.ts'
import { tenantFrame } from './tenant-frame.ts'

/** What pages are bound to, and the operations that they run. */
export interface PageRouter extends FrontendInterface {
  readonly app: FastifyInstance
}

export interface PagePlace {
  readonly tenant: TenantEntry
  readonly isOwnDomain: boolean
  readonly session: LiveSession | undefined
  readonly settings: PagesDocument
  readonly languages: PageLanguages
  /** The time zone of the signed-in user. */
  readonly timezone?: string
}

interface Input<E extends FrontendEndpoint> {
  readonly params?: ParamsOf<E>
  readonly query?: QueryOf<E>
  readonly body?: BodyOf<E>
  /** The answer to a puzzle. */
  readonly challenge?: string | undefined
  /** Whether a code by mail takes the place of that answer. */
  readonly isMailFirst?: boolean
}

const html = 'text/html; charset=utf-8'

export class PageCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly deps: Deps
  readonly tenant: TenantEntry
  readonly session: LiveSession | undefined
  readonly isOwnDomain: boolean
  readonly text: TextOf
  /** The application that asked for this page, so that the user begins again there if its request is over. */
  waitingApplication: { readonly clientId: string | undefined } | undefined
  readonly #router: PageRouter
  readonly #languages: PageLanguages
  readonly #settings: PagesDocument
  readonly #timezone: string | undefined

  constructor(router: PageRouter, request: FastifyRequest, reply: FastifyReply, place: PagePlace) {
    this.#router = router
    this.request = request
    this.reply = reply
    this.deps = router.deps
    this.tenant = place.tenant
    this.session = place.session
    this.isOwnDomain = place.isOwnDomain
    this.#settings = place.settings
    this.#languages = place.languages
    this.#timezone = place.timezone
    const { language, texts } = place.languages
    this.text = textOf(language.tag, texts, overridesOf(place.settings, language))
  }

  /** The beginning of all paths of these pages; empty on the tenant's own domain. */
  get root(): string {
    return this.isOwnDomain ? '' : hostedPath(this.tenant)
  }

  /** Returns the complete address of one of these pages, for messages and providers. */
  addressOf(path: string): string {
    return hostedRoot(this.deps.config, this.tenant, this.ownHost) + path
  }

  /** The tenant's own domain that the browser uses. */
  get ownHost(): string | null {
    return this.isOwnDomain ? this.request.host : null
  }

  /** Returns a value of the query; undefined unless it occurs exactly once. */
  query(name: string): string | undefined {
    const value = (this.request.query as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** The id that the path names. */
  get id(): string {
    return this.parameter('id')
  }

  /** Returns a part of the path by the name that it has there. */
  parameter(name: string): string {
    return (this.request.params as Readonly<Record<string, string | undefined>>)[name] ?? ''
  }

  /** Returns a field of the form; undefined if it is empty or occurs more than once. */
  field(name: string): string | undefined {
    const { body } = this.request
    const fields = body instanceof FileForm ? body.fields : body
    const values = fields instanceof URLSearchParams ? fields.getAll(name) : []
    return values.length === 1 && values[0] !== '' ? values[0] : undefined
  }

  /** Returns the file of the form; undefined if none was chosen. */
  get file(): Buffer | undefined {
    const { body } = this.request
    return body instanceof FileForm ? body.file : undefined
  }

  /**
   * Counts a request that corresponds to no operation of the frontend interface against the limit of the caller's address.
   * @throws ApiError rate_limited
   */
  take(operation: string) {
    this.#router.limits.take(operation, this.request, this.reply)
  }

  /**
   * Runs an operation of the frontend interface for the user of this browser.
   * @throws ApiError as the operation does.
   */
  async run<E extends FrontendEndpoint>(endpoint: E, input: Input<E> = {}): Promise<DataOf<E>> {
    const { request, reply, tenant, isOwnDomain, session } = this
    const { params = {}, query = {}, body, challenge, isMailFirst = false } = input
    const page = { params, query, body, challenge, isMailFirst, language: this.#languages.language.tag } as PageInput<E>
    const call = new FrontendCall<E>(request, reply, { tenant, isOwnDomain, session }, page)
    try {
      return await this.#router.perform(endpoint, call)
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined
      if (seconds !== undefined) reply.header('retry-after', String(seconds))
      throw error
    }
  }

  /** Returns a call for what corresponds to no operation of the frontend interface, such as a sign-in that begins with a passkey. */
  frontendCall(): FrontendCall<FrontendEndpoint> {
    const { request, reply, tenant, isOwnDomain, session } = this
    const page = { params: {}, query: {}, body: undefined, language: this.#languages.language.tag }
    return new FrontendCall(request, reply, { tenant, isOwnDomain, session }, page)
  }

  /** @param address the path and query of the state that is shown, if they differ from the request's. */
  frame(address = addressOfState(this.request)): Frame {
    return this.#frameWith(formToken(this.frontendCall()), address)
  }

  #frameWith(token: string, address: string): Frame {
    const { tenant, root, deps } = this
    return tenantFrame({
      config: deps.config,
      tenant,
      settings: this.#settings,
      languages: this.#languages,
      root,
      address,
      formToken: token,
      ...(this.#timezone === undefined ? {} : { timezone: this.#timezone }),
    })
  }

  /** Shows a page. */
  show(document: string, status = 200) {
    return this.reply.code(status).header('content-type', html).send(Buffer.from(document))
  }

  /**
   * Shows a page that differs between visitors in its form token only. It is kept in memory for the next visitor, so what one visitor has
   * typed or must not share belongs in `show`.
   * @param name the name of this kind of page.
   * @param view plain data, as JSON can express it.
   */
  showAlike<View extends object>(name: string, render: (frame: Frame, view: View) => string, view: View) {
    const { tenant, root, reply } = this
    const address = addressOfState(this.request)
    const key = JSON.stringify([
      name,
      numberOf(tenant),
      numberOf(this.#settings),
      this.#languages.language.tag,
      root,
      address,
      view,
    ])
    const page = alikePage(
      key,
      (token) => render(this.#frameWith(token, address), view),
      formToken(this.frontendCall()),
    )
    sendSoon(page, reply.hijack())
  }

  /** Shows a page with a message. */
  message(view: MessageView, status = 200) {
    return this.show(messagePage(this.frame(), view), status)
  }

  /** Redirects the browser to another of these pages. */
  go(path: string) {
    return this.reply.redirect(this.root + path, 303)
  }

  /**
   * Sends the browser to any address. The policy's form-action allows no form to end at another origin, not even through a redirect of
   * ours. So a page is shown that goes there by itself, and has a link.
   * @param shownHost where the reader ends, if the address only leads there.
   */
  leave(address: string, shownHost?: string) {
    return this.show(leavingPage(this.frame(), this.reply, address, shownHost))
  }
}
