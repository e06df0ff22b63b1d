import { endpoints } from '@bailiwick/contract'
import type { FastifyReply } from 'fastify'
import { invalid } from '../../platform/http/api-error.ts'
import {
  type RateLimiter,
  assertWithinLimit,
  createRateLimiter,
  limitFactor,
} from '../../platform/http/limits/rate-limit.ts'
import type { Management } from '../../platform/http/management-steps.ts'
import type { TenantId } from '../../platform/ids.ts'
import type { Deps } from '../deps.ts'
import { listInbox } from './inbox/inbox.ts'
import { countMessagesByDay, readMessageStatistics } from './messages/message-statistics.ts'
import * as messages from './messages/messages.ts'
import { sendMessage, testMessage } from './sending/send-message.ts'

const minute = 60
const hour = 60 * minute

/** Limits what a key may send, because otherwise a stolen key would be a relay for spam. */
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

/** Returns variables that some clients send as a text of JSON. @throws ApiError validation_failed */
function readVariables(variables: Record<string, unknown> | string): Record<string, unknown> {
  if (typeof variables !== 'string') return variables
  let read: unknown
  try {
    read = JSON.parse(variables)
  } catch {
    read = undefined
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw invalid('/variables', 'invalid_value', 'must be an object, or a string with an object as JSON')
  return read as Record<string, unknown>
}

export function messageRoutes({ handle }: Management, deps: Deps) {
  const limits = createMessageLimits(deps)
  const admit = (reply: FastifyReply, tenantId: TenantId, to: string) => {
    take(reply, limits.sent, tenantId)
    take(reply, limits.toAddress, `${tenantId} ${to.toLowerCase()}`)
  }

  handle(endpoints.sendMessage, ({ tenantId, body, actor, reply }) => {
    for (const to of [body.input.to].flat()) admit(reply, tenantId, to)
    return sendMessage(deps, tenantId, body, actor)
  })
  handle(endpoints.testMessage, ({ tenantId, body, actor, reply }) => {
    for (const _to of [body.input.to].flat()) take(reply, limits.tested, tenantId)
    return testMessage(deps, tenantId, { ...body, variables: readVariables(body.variables) }, actor)
  })
  handle(endpoints.listMessages, ({ tenantId, query }) => messages.listMessages(deps, tenantId, query))
  handle(endpoints.getMessage, ({ tenantId, params }) => messages.getMessage(deps, tenantId, params.id))
  handle(endpoints.resendMessage, ({ tenantId, params, actor, reply }) => {
    take(reply, limits.sent, tenantId)
    return messages.resendMessage(deps, tenantId, params.id, actor)
  })
  handle(endpoints.listInboxMessages, ({ tenantId, query }) => listInbox(deps, tenantId, query))
  handle(endpoints.listMessageStatistics, ({ tenantId }) => readMessageStatistics(deps, tenantId))
  handle(endpoints.listMessagesByDay, ({ tenantId }) => countMessagesByDay(deps, tenantId))
  handle(endpoints.countMessagesPerDay, async ({ tenantId }) => {
    const days = await countMessagesByDay(deps, tenantId)
    return days.map(({ date, queued }) => ({ day: date, count: queued }))
  })
}
