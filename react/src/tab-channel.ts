// Tells the other tabs of the app that somebody has signed in or out in this one.

export interface TabMessage {
  /** Who is signed in; null for nobody. */
  readonly userId: string | null
  /** Whether something has changed about the user or the active organization. */
  readonly isChanged: boolean
}

export class TabChannel {
  readonly #name: string
  #channel: BroadcastChannel | undefined

  constructor(publicKey: string) {
    this.#name = `bailiwick:${publicKey}`
  }

  /** Listens until the function that it returns is called. */
  open(receive: (message: TabMessage) => void): () => void {
    if (typeof BroadcastChannel === 'undefined') return () => undefined
    const channel = new BroadcastChannel(this.#name)
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => receive(data))
    this.#channel = channel
    return () => {
      channel.close()
      if (this.#channel === channel) this.#channel = undefined
    }
  }

  post(message: TabMessage) {
    this.#channel?.postMessage(message)
  }
}
