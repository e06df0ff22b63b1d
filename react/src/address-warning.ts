// For whoever develops an app: loaded only where there is something to say.
import { browserAddress } from './hosted-pages.ts'

/** Says how the app has to be opened, where the service is at `localhost` for browsers and the page is not. */
export function warnOfAddress(frontendApiUrl: string) {
  if (new URL(browserAddress(frontendApiUrl)).hostname !== 'localhost') return
  const { origin, port } = location
  // oxlint-disable-next-line no-console -- It is a word to the developer.
  console.warn(`Bailiwick: open http://localhost:${port} instead of ${origin}, or nobody stays signed in.`)
}
