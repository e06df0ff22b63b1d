// The development inbox: all sent messages of all tenants, including codes and links. It does not exist in production, nor for callers on
// other machines.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../../platform/http/api-error.ts'
import { isLoopbackCaller } from '../../../platform/http/credentials/loopback.ts'
import type { TenantId } from '../../../platform/ids.ts'
import type { Deps } from '../../deps.ts'
import { type MessageRow, selectMessage, selectNewestMessages } from '../message-queries.ts'
import { openContent } from '../messages/sealed-messages.ts'
import {
  type InboxMessage,
  inboxContentSecurityPolicy,
  inboxMessagePage,
  inboxPage,
  inboxState,
  mailContentSecurityPolicy,
} from './dev-inbox-page.ts'

const shownMax = 100

async function inboxMessage({ sealer, tenants }: Deps, row: MessageRow): Promise<InboxMessage> {
  const tenant = await tenants.byId(row.tenant_id)
  const content = row.sealed_content === null ? undefined : openContent(sealer, row, row.sealed_content)
  return { row, tenantName: tenant?.row.name ?? row.tenant_id, content }
}

function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

export function devInboxRoutes(app: FastifyInstance, deps: Deps) {
  if (deps.config.env !== 'development') return
  const assertHere = (request: FastifyRequest) => {
    if (!isLoopbackCaller(request.raw)) throw new ApiError('not_found')
  }
  const show = (reply: FastifyReply, html: string, policy = inboxContentSecurityPolicy) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .send(html)
  const showText = (reply: FastifyReply, text: string) =>
    reply.header('content-type', 'text/plain; charset=utf-8').send(text)

  app.get('/dev/inbox', async (request, reply) => {
    assertHere(request)
    const to = queryText(request, 'to')
    const rows = await selectNewestMessages(deps.db, to, shownMax)
    return show(reply, inboxPage(await Promise.all(rows.map((row) => inboxMessage(deps, row))), to))
  })

  app.get('/dev/inbox/changes', async (request, reply) => {
    assertHere(request)
    return showText(reply, inboxState(await selectNewestMessages(deps.db, queryText(request, 'to'), shownMax)))
  })

  type Named = FastifyRequest<{ Params: { tenantId: string; id: string } }>
  const named = async (request: Named): Promise<MessageRow> => {
    assertHere(request)
    const row = await selectMessage(deps.db, request.params.tenantId as TenantId, request.params.id)
    if (row === undefined) throw new ApiError('not_found')
    return row
  }

  app.get('/dev/inbox/:tenantId/:id', async (request: Named, reply) =>
    show(reply, inboxMessagePage(await inboxMessage(deps, await named(request)))),
  )

  app.get('/dev/inbox/:tenantId/:id/changes', async (request: Named, reply) =>
    showText(reply, inboxState([await named(request)])),
  )

  app.get('/dev/inbox/:tenantId/:id/mail', async (request: Named, reply) => {
    const { content } = await inboxMessage(deps, await named(request))
    return show(reply, content?.html ?? '', mailContentSecurityPolicy)
  })
}
