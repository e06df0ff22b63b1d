// The hosted pages of the console's own tenant, where people sign in. The service says in the page where they are.

export const signInRoot = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="bailiwick-sign-in"]')?.content ?? ''

/** The host of the pages: on a development deployment it may differ from the host by which this page was opened. */
const onHostOfPages = (path: string) => new URL(path, signInRoot()).href

export const signInAddress = (returnPath: string): string =>
  `${signInRoot()}/sign-in?${new URLSearchParams({ redirect_to: onHostOfPages(returnPath) }).toString()}`

export const signOutAddress = (): string =>
  `${signInRoot()}/sign-out?${new URLSearchParams({ redirect_to: onHostOfPages('/console') }).toString()}`

export const accountAddress = (): string => `${signInRoot()}/account`
