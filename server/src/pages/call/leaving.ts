import { type Frame, messagePage } from '@bailiwick/pages'
import type { FastifyReply } from 'fastify'

/**
 * A page that continues at an address of another site.
 * @param shownHost where the address itself only leads on from.
 */
export function leavingPage(frame: Frame, reply: FastifyReply, address: string, shownHost?: string): string {
  const { href, host } = new URL(address)
  reply.header('refresh', `0;url=${href}`)
  const { text } = frame
  return messagePage(frame, {
    title: text('leaving.title'),
    lead: text('leaving.lead', { host: shownHost ?? (host === '' ? href : host) }),
    actions: [{ href, label: text('common.continue') }],
  })
}
