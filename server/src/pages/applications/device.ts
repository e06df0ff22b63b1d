// Devices without a browser: the user enters the code that the device shows, and is then asked on the page of consents.
import { frontendEndpoints } from '@bailiwick/contract'
import { devicePage } from '@bailiwick/pages'
import { ApiError } from '../../platform/http/api-error.ts'
import type { PageCall } from '../call/page-call.ts'
import { signInFirst } from '../call/sign-in-first.ts'
import { problemsOf } from '../problems.ts'
import { showActing } from './interaction.ts'

const codeLengthMax = 32

function showDone(page: PageCall, isAllowed: boolean) {
  const { text } = page
  return page.message(
    isAllowed
      ? { title: text('device.allowedTitle'), lead: text('device.allowedLead') }
      : { title: text('device.refusedTitle'), lead: text('device.refusedLead') },
  )
}

/** GET /device?user_code&done */
export function openDevice(page: PageCall) {
  const done = page.query('done')
  if (done === 'allowed' || done === 'refused') return showDone(page, done === 'allowed')
  if (page.session === undefined) return signInFirst(page)
  const userCode = page.query('user_code')?.slice(0, codeLengthMax)
  return page.show(devicePage(page.frame(), { userCode }))
}

/** POST /device */
export async function enterDeviceCode(page: PageCall) {
  const { text } = page
  if (page.session === undefined) return signInFirst(page)
  const userCode = page.field('userCode')?.trim()
  const refuse = (errors: Readonly<Record<string, string>>, status = 422) =>
    page.show(devicePage(page.frame(), { userCode, errors }), status)
  if (userCode === undefined || userCode === '') return refuse({ userCode: text('error.required') })
  try {
    const { interaction } = await page.run(frontendEndpoints.findOAuthDevice, { body: { userCode } })
    return page.go(`/consent?${new URLSearchParams({ interaction: interaction.uid }).toString()}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'reauthentication_required') return showActing(page)
    if (error.code === 'not_found') return refuse({ userCode: text('device.unknown') })
    const problems = problemsOf(error, text)
    if (problems === undefined) throw error
    return refuse(problems.errors, problems.status)
  }
}
