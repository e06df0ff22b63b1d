import type { PageCall } from './call/page-call.ts'

const isNumeric = (code: string) => /^[\d\s-]+$/.test(code)

/**
 * Returns the code of the form. People read codes of digits in groups and type them so; spaces and hyphens are removed from such codes, but
 * not from anything else, because the token of a link may contain hyphens.
 */
export function codeOf(page: PageCall): string | undefined {
  const code = page.field('code')
  return code !== undefined && isNumeric(code) ? code.replaceAll(/[\s-]/g, '') : code
}
