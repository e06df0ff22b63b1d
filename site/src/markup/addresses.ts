// Addresses of the site. Every page is a folder with an index.html, and every link is relative, so that the files work below any path of
// any web server. An address has no leading slash: '' is the first page, `scim/` a guide.

/** Returns the link from one address to another one, which may have a fragment. */
export function linkBetween(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 1)
  return up + to === '' ? './' : `${up === '' ? './' : up}${to}`
}

/** Returns a heading's text as a fragment, as GitHub makes it. */
export const toFragment = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
