// Tells the other tabs of the app that somebody has signed in or out in this one.

export interface TabMessage {
  /** The id of the signed-in user; null if nobody is signed in. */
  readonly userId: string | null
  /** Whether something about the user or the active organization has changed. */
  readonly isChanged: boolean
}

export class TabChannel {
  readonly #name: string
  #channel: BroadcastChannel | undefined

  constructor(publicKey: string) {
    this.#name = `bailiwick:${publicKey}`
  }

  /** Listens until the returned function is called. */
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
