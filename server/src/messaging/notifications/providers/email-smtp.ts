// Sends mail by SMTP: to a tenant's server over a checked connection, or to the deployment's own.
import type { Socket } from 'node:net'
import { isEmail } from '@bailiwick/contract'
import { EgressError, createEgress } from '../../../platform/net/egress.ts'
import { senderName } from '../rendering/header-text.ts'
import { ownMail } from './own-mail.ts'
import { type Send, type SendResult, type Sending, text } from './provider.ts'

const timeoutMs = 10_000
const securePort = 465
const submissionPort = 587
/** The ports for mail submission; a tenant's settings open no connections to other services. */
const mailPorts = new Set([25, securePort, submissionPort, 2525])
const detailLengthMax = 300

interface Server {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isSecure: boolean
  readonly user: string
  readonly password: string
  readonly from: string
  readonly isOwn: boolean
}

/** The operator's own server may be in a private network. */
const ownEgress = createEgress({ isPrivateAllowed: true })

function serverOf({ deps: { config }, settings }: Sending): Server {
  if (settings === undefined) {
    const url = new URL(config.smtpUrl?.reveal() ?? '')
    const isSecure = url.protocol === 'smtps:'
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (isSecure ? securePort : submissionPort) : Number(url.port),
      isSecure,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      from: config.smtpFrom ?? '',
      isOwn: true,
    }
  }
  const port = Number(settings['port'])
  return {
    host: text(settings, 'host'),
    port,
    isSecure: settings['secure'] === true || port === securePort,
    user: text(settings, 'username'),
    password: text(settings, 'password'),
    from: text(settings, 'from'),
    isOwn: false,
  }
}

/** Plain text is only allowed in the development deployment, and for the operator's own server if its URL is `smtp://`. */
function transportOptions({ deps: { config } }: Sending, server: Server, connection: Socket) {
  const { host, port, isSecure, user, password, isOwn } = server
  const isPlainAllowed = config.env === 'development' || (isOwn && password === '')
  return {
    host,
    port,
    connection,
    secure: isSecure,
    requireTLS: !isSecure && !isPlainAllowed,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: 'TLSv1.2' as const },
    ...(user === '' ? {} : { auth: { user, pass: password } }),
  }
}

/** The properties that nodemailer adds to an error. */
interface SmtpError extends Error {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
}

const forGoodCodes = new Set(['EAUTH', 'EENVELOPE', 'ENOAUTH', 'EREQUIRETLS'])
/** These say that the server takes no message at all. */
const channelCodes = new Set(['EAUTH', 'ENOAUTH', 'EREQUIRETLS'])

/** A 4xx is temporary, a 5xx permanent (RFC 5321 §4.2.1); without an answer, the connection failed. */
function resultOf(error: SmtpError): SendResult {
  const status = error.responseCode
  const detail = error.response?.slice(0, detailLengthMax)
  const isAboutChannel = channelCodes.has(error.code ?? '')
  if (status !== undefined && status >= 400) {
    const reason = `The mail server answered ${status}.`
    return { kind: status >= 500 ? 'refused' : 'failed', reason, detail, isAboutChannel }
  }
  const isForGood = error.code !== undefined && forGoodCodes.has(error.code)
  return {
    kind: isForGood ? 'refused' : 'failed',
    isAboutChannel,
    reason: `The mail server could not be used (${error.code ?? 'unknown'}).`,
  }
}

async function hand(sending: Sending, server: Server, connection: Socket): Promise<SendResult> {
  const { message, deps } = sending
  const {
    text: body,
    html,
    headers,
  } = server.isOwn
    ? ownMail(message, deps.config.sending.abuseContact)
    : { text: message.text, html: message.html, headers: {} }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(transportOptions(sending, server, connection))
  const domain = server.from.slice(server.from.lastIndexOf('@') + 1)
  try {
    await transport.sendMail({
      from: { name: senderName(message.senderName), address: server.from },
      to: { name: '', address: message.to },
      envelope: { from: server.from, to: [message.to] },
      messageId: `<${message.id}@${domain}>`,
      subject: message.subject ?? '',
      text: body,
      ...(html === null ? {} : { html }),
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { kind: 'sent' }
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return resultOf(error as SmtpError)
    throw error
  } finally {
    transport.close()
  }
}

export const sendBySmtp: Send = async (sending) => {
  const { deps, signal } = sending
  const { tenantId } = sending.message
  const server = serverOf(sending)
  // The library parses an address as a list of mailboxes, with a line break as a separator.
  if (!isEmail(sending.message.to)) return { kind: 'refused', reason: 'The address is not an e-mail address.' }
  if (!server.isOwn && deps.config.env !== 'development' && !mailPorts.has(server.port)) {
    return { kind: 'refused', reason: 'The port must be one of the ports for sending mail: 25, 465, 587 or 2525.' }
  }
  const egress = server.isOwn ? ownEgress : deps.egress
  let connection: Socket | undefined
  const abort = () => connection?.destroy()
  try {
    connection = await egress.connect(server.host, server.port, { tenantId, timeoutMs, signal })
    connection.setNoDelay(true)
    signal.addEventListener('abort', abort, { once: true })
    return await hand(sending, server, connection)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { kind: error.code === 'address_refused' ? 'refused' : 'failed', reason: error.message }
  } finally {
    signal.removeEventListener('abort', abort)
    connection?.destroy()
  }
}
