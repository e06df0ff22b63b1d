import { endpoints } from '@bailiwick/contract'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import { type Locating, locate } from '../../platform/http/locate.ts'
import { type RateLimiter, assertWithinLimit, createRateLimiter, limitFactor } from '../../platform/http/rate-limit.ts'
import { type Router, route } from '../../platform/http/route.ts'
import type { TenantId } from '../../platform/ids.ts'
import { countMessagesByDay, readMessageStatistics } from './message-statistics.ts'
import * as messages from './messages.ts'
import { sendMessage, testMessage } from './send-message.ts'

const minute = 60
const hour = 60 * minute

/** A key that sends what it likes to whom it likes is a relay to spammers: SECURITY.md section 6, 7. */
function createMessageLimits({ config, clock }: Deps) {
  const factor = limitFactor(config)
  const limiter = (name: string, count: number, windowSeconds: number) =>
    createRateLimiter({ name, count: count * factor, windowSeconds, clock })
  return {
    sent: limiter('messages', 60, minute),
    toAddress: limiter('messages-to-address', 10, hour),
    tested: limiter('test-messages', 10, hour),
  }
}

const take = (reply: FastifyReply, limiter: RateLimiter, key: string) =>
  assertWithinLimit(reply, limiter, limiter.take(key))

interface NamingOne extends Locating {
  readonly params: { readonly id: string }
}

export function messageRoutes(router: Router, deps: Deps) {
  const tenantOf = (call: NamingOne) => locate(deps.db, call, 'messages', call.params.id)
  const limits = createMessageLimits(deps)
  const admit = (reply: FastifyReply, tenantId: TenantId, to: string) => {
    take(reply, limits.sent, tenantId)
    take(reply, limits.toAddress, `${tenantId} ${to.toLowerCase()}`)
  }

  route(router, endpoints.sendMessage, async (call) => {
    const tenantId = call.enter(call.body.tenantId)
    for (const to of [call.body.input.to].flat()) admit(call.reply, tenantId, to)
    return sendMessage(deps, tenantId, call.body, call.actor)
  })

  route(router, endpoints.testMessage, async (call) => {
    const { body } = call
    const tenantId = call.enter(await locate(deps.db, call, 'templates', body.templateId))
    for (const _to of [body.input.to].flat()) take(call.reply, limits.tested, tenantId)
    return testMessage(deps, tenantId, body, call.actor)
  })

  route(router, endpoints.listMessages, async (call) =>
    messages.listMessages(deps, call.enter(call.params.tenantId), call.query),
  )

  route(router, endpoints.getMessage, async (call) =>
    messages.getMessage(deps, call.enter(await tenantOf(call)), call.params.id),
  )

  route(router, endpoints.resendMessage, async (call) => {
    const tenantId = call.enter(await tenantOf(call))
    take(call.reply, limits.sent, tenantId)
    return messages.resendMessage(deps, tenantId, call.params.id, call.actor)
  })

  route(router, endpoints.listMessageStatistics, async (call) =>
    readMessageStatistics(deps, call.enter(call.query.tenantId)),
  )

  route(router, endpoints.listMessagesByDay, async (call) => countMessagesByDay(deps, call.enter(call.query.tenantId)))
}
