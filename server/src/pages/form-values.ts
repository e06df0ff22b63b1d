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

/** Returns the secret of a new authenticator app that the form was shown with; undefined for anything else that was sent instead. */
export function newAppOfForm(page: PageCall) {
  const uri = page.field('uri')
  if (uri === undefined || !uri.startsWith('otpauth://totp/') || !URL.canParse(uri)) return undefined
  const secret = new URL(uri).searchParams.get('secret')
  return secret === null || !/^[A-Z2-7]{16,64}$/.test(secret) ? undefined : { secret, uri }
}
