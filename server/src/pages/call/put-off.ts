// What the users of a browser have put off, such as the offer of a passkey: each as a short hash, in a cookie of that browser.
import { hash } from 'node:crypto'
import { cookieName, readCookie, setCookie } from '../../flows/frontend/cookies.ts'
import type { PageCall } from './page-call.ts'

const laterSeconds = 30 * 24 * 60 * 60
/** A cookie has at most 128 characters. */
const marksMax = 8

const shortHash = (offer: string) => hash('sha256', `later:${offer}`, 'hex').slice(0, 15)

function readMarks({ request, tenant, isOwnDomain }: PageCall): string[] {
  const value = readCookie(request.headers.cookie, cookieName('later', tenant, isOwnDomain))
  return value?.split('-') ?? []
}

/** @param offer what is offered, and to whom: the text is hashed. */
export const isPutOff = (page: PageCall, offer: string): boolean => readMarks(page).includes(shortHash(offer))

/** Puts offers off for thirty days; the oldest are forgotten where a browser has put off more than eight. */
export function putOffLater(page: PageCall, offers: readonly string[]) {
  const { tenant, isOwnDomain, reply } = page
  const marks = offers.map(shortHash)
  const all = [...marks, ...readMarks(page).filter((each) => !marks.includes(each))].slice(0, marksMax)
  setCookie(reply, cookieName('later', tenant, isOwnDomain), all.join('-'), laterSeconds)
}
