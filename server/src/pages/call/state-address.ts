// The address at which a state is shown. The answer to a form has the form's own address, which a link cannot request.
import type { FastifyRequest } from 'fastify'

/** The field of a form that corresponds to a parameter of the page's address. */
const parameters: readonly (readonly [parameter: string, ...fields: string[]])[] = [
  ['redirect_to', 'redirectTo'],
  ['invitationToken', 'invitationToken'],
  ['token', 'token'],
  ['return_to', 'returnTo'],
  ['interaction', 'interaction'],
  ['client_id', 'clientId'],
  ['user_code', 'userCode'],
  ['with', 'with', 'strategy'],
]

/** The forms whose own address is not that of their page, with what replaces it. */
const pages: readonly (readonly [form: RegExp, page: string])[] = [
  [/\/sign-in\/passkey$/, '/sign-in'],
  [/\/accounts\/[^/]+\/(?:switch|end)$/, '/accounts'],
  [/\/account\/profile\/[^]*$/, '/account/profile'],
  [/(\/account\/(?:emails|phones))\/[^/]+\/primary$/, '$1'],
  [/(\/account\/(?:emails|phones)\/[^/]+)\/prepare$/, '$1'],
  [/\/account\/passkeys\/options$/, '/account/passkeys'],
  [/\/account\/app\/confirm$/, '/account/app'],
  [/\/account\/sessions\/[^]*$/, '/account/sessions'],
]

/** Returns the path of the page that a form is on. */
export const pageOfForm = (path: string): string =>
  pages.reduce((at, [form, page]) => (form.test(at) ? at.replace(form, page) : at), path)

/** Returns the path and query of the requested page, or of the page whose form was sent. */
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
