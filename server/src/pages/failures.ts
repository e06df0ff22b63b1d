// Failures as pages for people, if the browser asks for HTML; programs get them as JSON, as everywhere.
import { type Frame, type MessageView, messagePage, textOf } from '@bailiwick/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../identity/deps.ts'
import type { ApiError } from '../platform/http/api-error.ts'
import { apiErrorOf, renderError } from '../platform/http/render-error.ts'
import { addressToStartAgain } from './applications/start-again.ts'
import { assets } from './assets.ts'
import { languageOfPage } from './call/language.ts'
import { setPageHeaders } from './call/page-headers.ts'
import { addressOfState } from './call/state-address.ts'
import { pictureOrigins } from './logos.ts'
import { minutesOf } from './problems.ts'

/** Returns whether a request comes from a person's browser, not from a program. */
export const wantsHtml = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html')

/** The frame of a page that belongs to no tenant. */
export async function plainFrame(request: FastifyRequest, reply: FastifyReply): Promise<Frame> {
  const { language, texts } = await languageOfPage(request, reply)
  const { style, script, icon } = assets()
  return {
    text: textOf(language.tag, texts),
    language,
    languages: [language],
    tenant: null,
    icon: icon.path,
    root: '',
    address: addressOfState(request),
    formToken: '',
    styles: [style.path],
    script: script.path,
    links: {},
  }
}

interface Place {
  readonly frame: Frame
  /** Where the user begins again at the application that asked for the page; undefined if it is unknown. */
  readonly startAt: string | undefined
}

function viewOf(error: ApiError, { frame: { text, tenant }, startAt }: Place, request: FastifyRequest): MessageView {
  const { page } = request
  const signIn = tenant === null ? [] : [{ href: '/sign-in', label: text('common.startAgain') }]
  switch (error.code) {
    case 'attempt_not_open':
    case 'attempt_at_another_step':
    case 'oauth_state_invalid':
      // Only the application can begin its request again.
      return page?.waitingApplication !== undefined
        ? { title: text('expired.title'), lead: text('request.lead'), actions: startAgain(text, startAt) }
        : { title: text('expired.title'), lead: text('expired.lead'), actions: signIn }
    case 'origin_refused':
      return {
        title: text('form.title'),
        lead: text('form.lead'),
        actions: [{ href: addressOfState(request), label: text('form.again'), isWhole: true }],
      }
    case 'provider_unusable':
      return { title: text('provider.notSetUpTitle'), lead: text('provider.notSetUpLead'), actions: signIn }
    case 'sign_in_disabled':
      return { title: text('closed.title'), lead: text('closed.lead') }
    case 'redirect_refused':
      return { title: text('refused.title'), lead: text('refused.lead', { tenant: tenant?.name ?? '' }) }
    case 'too_many_attempts':
    case 'rate_limited':
      return { title: text('tooMany.title'), lead: text('tooMany.lead', { count: minutesOf(error) }), actions: signIn }
    case 'payload_too_large':
      return {
        title: text('profile.picture'),
        lead: text('profile.pictureTooLarge'),
        actions: [{ href: addressOfState(request), label: text('form.again'), isWhole: true }],
      }
    case 'not_found':
      return { title: text('notFound.title'), lead: text('notFound.lead'), actions: signIn }
    default:
      return {
        title: text('failed.title'),
        lead: text('failed.lead'),
        detail: text('failed.reference', { id: request.id }),
        actions: signIn,
      }
  }
}

/** Returns the action that leads back to the application; none if there is no address for it. */
export const startAgain = (text: Frame['text'], address: string | undefined): NonNullable<MessageView['actions']> =>
  address === undefined ? [] : [{ href: address, label: text('common.startAgain') }]

export async function renderFailure(deps: Deps, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { log, config } = deps
  if (!wantsHtml(request)) return renderError(log, thrown, request, reply)
  const error = apiErrorOf(thrown)
  if (error.statusCode >= 500) log.error({ requestId: request.id, err: error.cause ?? error }, error.message)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  const { page } = request
  setPageHeaders(reply, page === undefined ? [] : pictureOrigins(config, page.tenant))
  const frame = page?.frame() ?? (await plainFrame(request, reply))
  const waiting = page?.waitingApplication
  const startAt = page && waiting && (await addressToStartAgain(deps, page.tenant, waiting.clientId))
  return reply
    .code(error.statusCode)
    .header('content-type', 'text/html; charset=utf-8')
    .send(messagePage(frame, viewOf(error, { frame, startAt }, request)))
}
