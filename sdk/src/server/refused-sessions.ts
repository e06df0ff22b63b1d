// Session cookies that the service has refused a moment ago. The service limits how many requests one address may send, and the address is
// that of the app's server: somebody who sends it the same forged cookie repeatedly must not use that limit up for everybody.

const rememberedMs = 30_000
const sessionsMax = 1000

async function hashSession(session: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(session))
  return String.fromCharCode(...new Uint8Array(hash))
}

export class RefusedSessions {
  /** When each is forgotten, by the hash of the cookie, oldest first. A session that was refused never becomes valid again. */
  readonly #endsAtMs = new Map<string, number>()

  async has(session: string): Promise<boolean> {
    this.#forgetOld()
    return this.#endsAtMs.size > 0 && this.#endsAtMs.has(await hashSession(session))
  }

  async add(session: string): Promise<void> {
    const hash = await hashSession(session)
    this.#endsAtMs.delete(hash)
    this.#endsAtMs.set(hash, Date.now() + rememberedMs)
    for (const oldest of this.#endsAtMs.keys()) {
      if (this.#endsAtMs.size <= sessionsMax) break
      this.#endsAtMs.delete(oldest)
    }
  }

  #forgetOld() {
    const now = Date.now()
    for (const [hash, endsAtMs] of this.#endsAtMs) {
      // A clock that was set back must not keep them for longer.
      if (endsAtMs > now && endsAtMs <= now + rememberedMs) break
      this.#endsAtMs.delete(hash)
    }
  }
}
