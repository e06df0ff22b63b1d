// Uploads an image and requests pictures of it, one request at a time over one connection, because sending must take as little as possible
// of the cores that the service uses too.
import type { TenantAccess } from '../data/dataset.ts'
import { type HttpAnswer, HttpConnection } from './http-connection.ts'
import { type RequestParts, bodyText, requestBytes } from './request.ts'

export interface SentImage {
  readonly mime: string
  readonly bytes: Buffer
}

interface Announced {
  readonly id: string
  readonly uploadUrl: string
}

const isClosing = ({ bytes }: HttpAnswer) =>
  /\r\nconnection: *close\r\n/i.test(bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n') + 2))

export class ImageSender {
  readonly #port: number
  readonly #tenant: TenantAccess
  #connection: HttpConnection | undefined

  constructor(port: number, tenant: TenantAccess) {
    this.#port = port
    this.#tenant = tenant
  }

  /**
   * Returns whether the image was accepted; then both pictures have been requested.
   * @throws Error if it cannot be announced, or if any answer is 500 or above
   */
  async send({ mime, bytes }: SentImage): Promise<boolean> {
    const { id, uploadUrl } = await this.#announce(mime, bytes.length)
    const { pathname, search } = new URL(uploadUrl)
    const { status } = await this.#ask({ method: 'PUT', path: `${pathname}${search}`, body: bytes, mime })
    if (status !== 200) return false
    for (const query of ['w=20&f=jpeg', 'w=30&f=webp']) {
      await this.#ask({ method: 'GET', path: `/api/v0/media/${this.#tenant.id}/${id}/image?${query}` })
    }
    return true
  }

  close(): void {
    this.#connection?.close()
  }

  async #announce(mime: string, size: number): Promise<Announced> {
    const { id: tenantId, secretKey } = this.#tenant
    const answer = await this.#ask({
      method: 'POST',
      path: '/api/v0/media/uploads',
      headers: { authorization: `Bearer ${secretKey}` },
      body: JSON.stringify({ tenantId, access: 'public', originalFilename: 'picture', mime, size }),
    })
    const text = bodyText(answer.bytes)
    if (answer.status !== 200) throw new Error(`an upload cannot be announced: ${text}`)
    return JSON.parse(text) as Announced
  }

  async #ask(parts: RequestParts): Promise<HttpAnswer> {
    const connection = (this.#connection ??= await HttpConnection.open(this.#port))
    const answer = await connection.send(requestBytes(parts))
    if (answer.status >= 500) throw new Error(`${parts.path} answered ${answer.bytes.toString('latin1')}`)
    if (isClosing(answer)) {
      connection.close()
      this.#connection = undefined
    }
    return answer
  }
}
