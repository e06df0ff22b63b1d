// A browser that goes through an authorization by hand, to get the session with which codes are then made.
/** Returns the cookies that an answer sets, each as `name=value`. */
export const readCookies = (response: Response): string[] =>
  response.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '')

export class Visitor {
  readonly #port: number
  readonly #cookies = new Map<string, string>()

  constructor(port: number) {
    this.#port = port
  }

  /** The value of the header. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Asks for an address of the server, whatever its host, and returns the address to which the browser is sent. */
  async visit(address: string): Promise<string> {
    const { pathname, search } = new URL(address, 'http://127.0.0.1')
    const response = await fetch(`http://127.0.0.1:${this.#port}${pathname}${search}`, {
      redirect: 'manual',
      headers: { cookie: this.cookie },
    })
    for (const pair of readCookies(response)) {
      const [name = '', value = ''] = pair.split('=', 2)
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${pathname} answered ${response.status} ${await response.text()}`)
    return location
  }
}
