import type { FastifyReply } from 'fastify'
import { type Frame, messagePage } from '@bailiwick/pages'

/** A page that continues at an address of another site. */
export function leavingPage(frame: Frame, reply: FastifyReply, address: string): string {
  const { href, host } = new URL(address)
  reply.header('refresh', `0;url=${href}`)
  const { text } = frame
  return messagePage(frame, {
    title: text('leaving.title'),
    lead: text('leaving.lead', { host: host === '' ? href : host }),
    actions: [{ href, label: text('common.continue') }],
  })
}
