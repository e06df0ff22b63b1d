// A warning for developers, in a file of its own so that it is loaded only when it is shown.
import { browserAddress } from './hosted-pages.ts'

/** Says at which address the app has to be opened if browsers reach the service at `localhost` and the page is elsewhere. */
export function warnOfAddress(frontendApiUrl: string) {
  if (new URL(browserAddress(frontendApiUrl)).hostname !== 'localhost') return
  const { origin, port } = location
  // oxlint-disable-next-line no-console -- It is a word to the developer.
  console.warn(
    `Bailiwick: open http://localhost:${port} instead of ${origin}. Otherwise the browser does not keep the session cookie, and users are signed out at once.`,
  )
}
