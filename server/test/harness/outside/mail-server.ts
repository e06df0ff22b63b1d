// A real SMTP server that accepts everything, or does what a test says.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  /** The recipients that RCPT TO named. */
  readonly to: readonly string[]
  readonly raw: string
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

const numberedError = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

export class MailServer {
  readonly received: ReceivedMail[] = []
  /** Gives the next recipient this answer. */
  refuseWith: { readonly code: number; readonly text: string } | undefined
  readonly #server: SMTPServer
  readonly #port: number

  private constructor(server: SMTPServer, port: number) {
    this.#server = server
    this.#port = port
  }

  /** @param port by default any that is free. */
  static async start(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
    let self: MailServer | undefined
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right' ? done(null, { user: username ?? '' }) : done(numberedError(535, 'wrong password')),
      onRcptTo: (_address, _session, done) => {
        const refusal = self?.refuseWith
        done(refusal === undefined ? null : numberedError(refusal.code, refusal.text))
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          self?.received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('utf8'),
            user: typeof session.user === 'string' ? session.user : undefined,
            isEncrypted: session.secure,
          })
          done()
        })
      },
      ...options,
    })
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
    self = new MailServer(server, (server.server.address() as AddressInfo).port)
    return self
  }

  get port(): number {
    return this.#port
  }

  parse(mail: ReceivedMail): Promise<Email> {
    return PostalMime.parse(mail.raw)
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
