// The invitations that the reader has received: answered in the list of organizations, or where they are offered after a sign-in.
import { frontendEndpoints } from '@bailiwick/contract'
import { invitationOfferPage } from '@bailiwick/pages'
import { checkedRedirect } from '../../flows/frontend/destinations.ts'
import { apiErrorOf } from '../../platform/http/render-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { isPutOff, putOffLater } from '../call/put-off.ts'
import { arrive } from '../destination.ts'
import type { Problems } from '../problems.ts'
import { type Done, doneText, goDone } from './area.ts'
import { receivedBy, showList } from './list.ts'
import { organizationProblems } from './problems.ts'

/** Where the sign-in leads that the invitations were offered after. */
interface Way {
  readonly after: 'signIn' | 'signUp'
  readonly redirectTo: string | undefined
}

const readWay = (read: (name: string) => string | undefined): Way => ({
  after: read('after') === 'signUp' ? 'signUp' : 'signIn',
  redirectTo: read('redirect_to') || undefined,
})

const offered = (invitationId: string) => `invitation:${invitationId}`

/** @throws ApiError redirect_refused */
const goOn = (page: PageCall, { after, redirectTo }: Way) =>
  arrive(page, after, redirectTo === undefined ? undefined : checkedRedirect(page.deps, page, redirectTo))

async function offerOrGoOn(page: PageCall, way: Way, problems?: Problems) {
  const all = await receivedBy(page)
  const invitations = all.filter(({ id }) => !isPutOff(page, offered(id)))
  if (invitations.length === 0) return goOn(page, way)
  const view = { invitations, ...way, done: doneText(page), ...(problems && { errors: problems.errors }) }
  return page.show(invitationOfferPage(page.frame(), view), problems?.status)
}

/** Offers the next one by an address of its own, so that nothing is answered twice by loading the page again. */
function offerNext(page: PageCall, { after, redirectTo }: Way, done: Done) {
  const query = new URLSearchParams({ after, ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }), done })
  return page.go(`/organizations/received?${query.toString()}`)
}

/** GET /organizations/received?after&redirect_to&done */
export const openReceived = (page: PageCall) =>
  offerOrGoOn(
    page,
    readWay((name) => page.query(name)),
  )

/** Answers one of them. Resolves with what is wrong with the answer, if anything is. */
async function answer(page: PageCall, isDeclined: boolean): Promise<Problems | undefined> {
  const params = { id: page.field('organizationId') ?? '', invitationId: page.field('invitationId') ?? '' }
  try {
    if (isDeclined) await page.run(frontendEndpoints.declineReceivedInvitation, { params, body: {} })
    else await page.run(frontendEndpoints.acceptReceivedInvitation, { params, body: {} })
    return undefined
  } catch (error) {
    const { code } = apiErrorOf(error)
    const problems = code === 'member_exists' ? undefined : organizationProblems(error, page.text)
    if (problems === undefined && code !== 'member_exists') throw error
    return problems
  }
}

/** POST /organizations/received: with `after` for what was offered, without it from the list. */
export async function answerReceived(page: PageCall) {
  const way = page.field('after') === undefined ? undefined : readWay((name) => page.field(name))
  if (way !== undefined && page.field('answer') === 'later') {
    putOffLater(
      page,
      (await receivedBy(page)).map(({ id }) => offered(id)),
    )
    return goOn(page, way)
  }
  const isDeclined = page.field('answer') === 'decline'
  const problems = await answer(page, isDeclined)
  if (problems !== undefined) return way === undefined ? showList(page, problems) : offerOrGoOn(page, way, problems)
  const done = isDeclined ? 'answered' : 'joined'
  return way === undefined ? goDone(page, '/organizations', done) : offerNext(page, way, done)
}
