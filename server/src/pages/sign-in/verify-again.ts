// The page on which a signed-in user proves once more who it is, for an application or an organization that wants a recent or a stronger
// proof. The steps themselves are those of a sign-in.
import { frontendEndpoints } from '@bailiwick/contract'
import { verifyAgainPage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { signInFirst } from '../call/sign-in-first.ts'
import { arrive } from '../destination.ts'
import { type Problems, problemsOf } from '../problems.ts'

interface Asked {
  readonly level: 'recent' | 'second_factor'
  readonly maxAge?: string | undefined
  readonly returnTo?: string | undefined
}

const asked = (read: (name: string) => string | undefined, returnTo: string | undefined): Asked => ({
  level: read('level') === 'recent' ? 'recent' : 'second_factor',
  maxAge: /^\d{1,8}$/.test(read('maxAge') ?? '') ? read('maxAge') : undefined,
  returnTo,
})

const showAsked = (page: PageCall, wanted: Asked, problems?: Problems) =>
  page.show(verifyAgainPage(page.frame(), { ...wanted, errors: problems?.errors ?? {} }), problems?.status)

/** GET /verify?level&maxAge&redirect_to */
export function openVerify(page: PageCall) {
  if (page.session === undefined) return signInFirst(page)
  return showAsked(
    page,
    asked((name) => page.query(name), page.query('redirect_to')),
  )
}

/** POST /verify */
export async function beginVerify(page: PageCall) {
  if (page.session === undefined) return signInFirst(page)
  const wanted = asked((name) => page.field(name), page.field('returnTo'))
  const { level, maxAge, returnTo } = wanted
  const body = {
    level,
    ...(maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) }),
    ...(returnTo === undefined ? {} : { redirectUri: returnTo }),
  }
  try {
    const { signInAttempt } = await page.run(frontendEndpoints.createVerification, { body })
    return signInAttempt === null ? arrive(page, 'signIn', returnTo) : page.go(`/sign-in/${signInAttempt.id}`)
  } catch (error) {
    const problems = error instanceof ApiError ? problemsOf(error, page.text) : undefined
    if (problems === undefined) throw error
    return showAsked(page, wanted, problems)
  }
}
