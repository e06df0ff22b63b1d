import type { PageCall } from './page-call.ts'

const isNumeric = (code: string) => /^[\d\s-]+$/.test(code)

/**
 * Returns the code of the form that was sent. People read codes of digits in groups and type them so: spaces and hyphens are taken out of
 * those, and out of nothing else, for the token of a link is as it is.
 */
export function codeOf(page: PageCall): string | undefined {
  const code = page.field('code')
  return code !== undefined && isNumeric(code) ? code.replaceAll(/[\s-]/g, '') : code
}
