// The second window in which somebody has signed in again: it tells the first one and closes.

export const signedInPath = '/console/signed-in'
export const signInChannel = 'bailiwick-console-sign-in'

/** Returns whether this window is that second one, which needs nothing else. */
export function finishSignIn(): boolean {
  if (location.pathname !== signedInPath) return false
  const channel = new BroadcastChannel(signInChannel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin alone
  channel.postMessage('signed in')
  channel.close()
  close()
  document.body.textContent = 'You are signed in. You can close this window.'
  return true
}
