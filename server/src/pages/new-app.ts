import type { PageCall } from './call/page-call.ts'

/** Returns the secret of a new authenticator app that the form was shown with; undefined for anything else that was sent instead. */
export function newAppOfForm(page: PageCall) {
  const uri = page.field('uri')
  if (uri === undefined || !uri.startsWith('otpauth://totp/') || !URL.canParse(uri)) return undefined
  const secret = new URL(uri).searchParams.get('secret')
  return secret === null || !/^[A-Z2-7]{16,64}$/.test(secret) ? undefined : { secret, uri }
}
