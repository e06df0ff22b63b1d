// The session has ended while the page was open: somebody signs in again in a second window, and the waiting calls continue.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { continueSession, isEnded, subscribe } from '../api/session-state.ts'
import { readSession, sessionKey } from './read-session.ts'
import { signInAddress } from './sign-in-address.ts'
import { signInChannel, signedInPath } from './signed-in-window.ts'

export function SignInAgain() {
  const isShown = useSyncExternalStore(subscribe, isEnded)
  const dialog = useRef<HTMLDialogElement>(null)
  const client = useQueryClient()

  useEffect(() => {
    if (isShown) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isShown])

  useEffect(() => {
    if (!isShown) return undefined
    const check = async () => {
      const session = await readSession().catch(() => undefined)
      if (session === undefined || session.kind === 'none') return
      client.setQueryData(sessionKey, session)
      continueSession()
    }
    const channel = new BroadcastChannel(signInChannel)
    channel.addEventListener('message', () => void check())
    const onFocus = () => void check()
    addEventListener('focus', onFocus)
    return () => {
      channel.close()
      removeEventListener('focus', onFocus)
    }
  }, [isShown, client])

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="signed-out" onCancel={(event) => event.preventDefault()}>
      <h2 id="signed-out">Your session has ended</h2>
      <p>
        Sign in again to continue. Everything that you have entered is still here, and your last request is sent again.
      </p>
      <div className="actions">
        <a className="button primary" href={signInAddress(signedInPath)} target="_blank" rel="opener">
          Sign in in a new window
        </a>
      </div>
    </dialog>
  )
}
