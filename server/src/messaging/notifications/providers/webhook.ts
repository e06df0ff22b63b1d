// Sends a message to a URL of the tenant, signed with Standard Webhooks if the channel has a secret.
import { tokenPrefixes } from '@bailiwick/contract'
import { webhookHeaders } from '../../webhooks/secret.ts'
import { byHttp, jsonRequest } from './http-provider.ts'
import { text } from './provider.ts'

const { webhookSecret: prefix } = tokenPrefixes
const isStandard = (secret: string) =>
  secret.startsWith(prefix) && /^[A-Za-z\d+/]+={0,2}$/.test(secret.slice(prefix.length))

/** A secret in the form of Standard Webhooks is used as it is; of any other text the bytes are used. */
const secretOf = (secret: string) =>
  isStandard(secret) ? secret : `${prefix}${Buffer.from(secret).toString('base64')}`

export const sendToWebhook = byHttp(({ deps, message, settings }) => {
  const { id, type, to, subject, text: plain, html } = message
  const seconds = Math.floor(deps.clock.nowMs() / 1000)
  const timestamp = new Date(seconds * 1000).toISOString()
  const data = { id, type, to, subject, text: plain, html }
  const request = jsonRequest(text(settings, 'url'), {}, { type: 'message', timestamp, data })
  const secret = text(settings, 'secret')
  const identified = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  const signed = secret === '' ? identified : webhookHeaders([secretOf(secret)], id, seconds, request.body)
  return { ...request, headers: { ...request.headers, ...signed } }
})
