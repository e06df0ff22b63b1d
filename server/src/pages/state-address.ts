// The address at which a state is shown. An answer to a form has the form's own, which a link cannot ask for.
import type { FastifyRequest } from 'fastify'

/** Which field of a form says what a parameter of the page's address says. */
const parameters: readonly (readonly [parameter: string, ...fields: string[]])[] = [
  ['redirect_to', 'redirectTo'],
  ['invitationToken', 'invitationToken'],
  ['token', 'token'],
  ['return_to', 'returnTo'],
  ['with', 'with', 'strategy'],
]

/** The forms whose own address is not that of the page they are on, with what takes its place. */
const pages: readonly (readonly [form: RegExp, page: string])[] = [
  [/\/sign-in\/passkey$/, '/sign-in'],
  [/\/account\/profile\/.*$/, '/account/profile'],
  [/(\/account\/(?:emails|phones))\/[^/]+\/primary$/, '$1'],
  [/(\/account\/(?:emails|phones)\/[^/]+)\/prepare$/, '$1'],
  [/\/account\/passkeys\/options$/, '/account/passkeys'],
  [/\/account\/app\/confirm$/, '/account/app'],
  [/\/account\/sessions\/.*$/, '/account/sessions'],
]

/** Returns the path of the page that a form is on. */
export const pageOfForm = (path: string): string =>
  pages.reduce((at, [form, page]) => (form.test(at) ? at.replace(form, page) : at), path)

/** Returns the path and query of the page that a request asks for, or that the form which it sends is on. */
export function addressOfState({ method, url, body }: FastifyRequest): string {
  if (method === 'GET') return url
  const [action = ''] = url.split('?', 1)
  const path = pageOfForm(action)
  if (!(body instanceof URLSearchParams)) return path
  const query = new URLSearchParams()
  for (const [parameter, ...fields] of parameters) {
    const value = fields.map((field) => body.get(field) ?? '').find((each) => each !== '')
    if (value !== undefined) query.set(parameter, value)
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
