// A browser without JavaScript, for tests of the hosted pages: it keeps cookies, follows redirects, and fills in the forms of a page.
import assert from 'node:assert/strict'
import type { Answer, TestService } from '../service.ts'
import { type HtmlDocument, parseHtml } from './html-document.ts'

export interface Shown {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly url: string
  /** The page as HTML, without the marks where an address may be broken. */
  readonly text: string
  readonly document: HtmlDocument
  /** The heading of the card. */
  readonly title: string
  /** The problems by the field's name; the problem of the whole form under `form`. */
  readonly errors: Readonly<Record<string, string>>
}

export interface SendOptions {
  /** The button to press, by its label. */
  readonly button?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A path other than the form's. */
  readonly to?: string
  /** Hidden fields to change, whose values a page of another site would not know. */
  readonly replace?: Readonly<Record<string, string>>
  /** The file to choose in the form's field for one. */
  readonly file?: Uint8Array
}

const redirectsMax = 5

export class PageBrowser {
  readonly cookies = new Map<string, string>()
  readonly #service: TestService
  readonly host: string
  readonly headers: Record<string, string>

  constructor(service: TestService, host = 'id.test', headers: Record<string, string> = {}) {
    this.#service = service
    this.host = host
    this.headers = headers
  }

  async open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.#request('GET', path, undefined, { 'sec-fetch-site': 'none', ...headers })
  }

  /** Fills in the form that has all these fields, and presses its button. */
  async send(page: Shown, fields: Readonly<Record<string, string>>, options: SendOptions = {}): Promise<Shown> {
    const { button, headers = {}, to, replace = {}, file } = options
    const found = [...page.document.forms].find((form) => {
      const names = [...form.elements].map(({ name }) => name)
      const buttons = [...form.querySelectorAll('button')].map(({ textContent }) => textContent.trim())
      return (
        Object.keys(fields).every((name) => names.includes(name)) && (button === undefined || buttons.includes(button))
      )
    })
    assert.ok(found !== undefined, `no such form on ${page.title}: ${page.text}`)
    const body = new URLSearchParams()
    for (const { name, value, type, disabled } of found.elements) {
      // A box that is not ticked is not sent.
      if (type === 'checkbox' && fields[name] === undefined) continue
      if (name !== '' && !disabled && type !== 'submit' && type !== 'file')
        body.append(name, fields[name] ?? replace[name] ?? value)
    }
    const pressed = [...found.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === button)
    const name = pressed?.getAttribute('name') ?? ''
    if (name !== '') body.append(name, pressed?.getAttribute('value') ?? '')
    const action = to ?? new URL(found.getAttribute('action') ?? '', page.url).pathname
    const fileField = [...found.elements].find(({ type }) => type === 'file')?.name
    const sent =
      fileField === undefined ? { type: formType, payload: body.toString() } : withFile(body, fileField, file)
    return this.#request('POST', action, sent.payload, {
      origin: `http://${this.host}`,
      'sec-fetch-site': 'same-origin',
      'content-type': sent.type,
      ...headers,
    })
  }

  async #request(
    method: 'GET' | 'POST',
    path: string,
    payload: string | Buffer | undefined,
    headers: object,
  ): Promise<Shown> {
    let answer = await this.#once(method, path, payload, headers)
    let at = path
    for (let redirects = 0; answer.status === 303; redirects++) {
      assert.ok(redirects < redirectsMax, `${path} leads round and round`)
      const location = new URL(String(answer.headers['location']), `http://${this.host}${at}`)
      // There the browser has other cookies, which `VisitingBrowser` keeps.
      if (location.pathname.includes('/oauth/')) return shown(answer, location.href)
      at = location.pathname + location.search
      answer = await this.#once('GET', at, undefined, { 'sec-fetch-site': 'same-origin' })
    }
    return shown(answer, `http://${this.host}${at}`)
  }

  async #once(
    method: 'GET' | 'POST',
    url: string,
    payload: string | Buffer | undefined,
    headers: object,
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#service.request({
      method,
      url,
      headers: {
        host: this.host,
        accept: 'text/html,application/xhtml+xml',
        ...this.headers,
        ...(cookie === '' ? {} : { cookie }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    this.#keep(answer.headers['set-cookie'])
    return answer
  }

  #keep(header: unknown) {
    for (const cookie of [header ?? []].flat() as string[]) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie) ?? []
      // A browser accepts __Host- only from https, for exactly this host and every path (RFC 6265bis §4.1.3).
      assert.match(name, /^__Host-/)
      assert.match(attributes, /Path=\/; Secure; HttpOnly/)
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

const formType = 'application/x-www-form-urlencoded'

/** Encodes a form with a field for a file as browsers do; if no file was chosen, an empty one is sent. */
function withFile(fields: URLSearchParams, name: string, file: Uint8Array = new Uint8Array()) {
  const boundary = 'form-boundary-of-a-browser'
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n`
  const text = [...fields].map(([field, value]) => `${part(`name="${field}"`)}\r\n${value}\r\n`).join('')
  const fileHead = `${part(`name="${name}"; filename="me.png"`)}content-type: image/png\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(text + fileHead), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, payload }
}

function shown({ status, headers, text }: Answer, url: string): Shown {
  const document = parseHtml(text)
  const wrong = [...document.querySelectorAll('[aria-invalid=true]')].map((input) => {
    const name = input.getAttribute('name') ?? ''
    return [name, document.querySelector(`#f-${name.replaceAll('/', '-')}-error`)?.textContent ?? ''] as const
  })
  const form = document.querySelector('.notice.error[role=alert]')?.textContent
  return {
    status,
    headers,
    url,
    text: text.replaceAll('<wbr />', ''),
    document,
    title: document.querySelector('h1')?.textContent ?? '',
    errors: { ...Object.fromEntries(wrong), ...(form === undefined ? {} : { form }) },
  }
}
