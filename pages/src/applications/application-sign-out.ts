// An application asks whether the user wants to sign out (OpenID Connect RP-Initiated Logout 1.0).
import { type Frame, heading, page } from '../frame.ts'
import { html, inlineScript } from '../html.ts'
import { button } from '../parts/form.ts'
import { withAddress } from '../parts/who.ts'

export interface ApplicationSignOutView {
  /** Where the form is sent to, and the value that binds it to the browser. */
  readonly action: string
  readonly xsrf: string
  /** The name of the application; null if it did not say who it is. */
  readonly application: string | null
  /** Whether the form sends itself: the application has proven that it acts for the user who is signed in. */
  readonly isProven: boolean
  /** The account that is signed out, where the browser keeps several. */
  readonly account?: { readonly id: string; readonly name: string } | undefined
}

/** The only script in the text of a page. The policy of that page allows it by its hash. */
export const submitScript = 'document.forms[0].requestSubmit(document.forms[0].elements.logout)'

export function applicationSignOutPage(frame: Frame, view: ApplicationSignOutView): string {
  const { text } = frame
  const { action, xsrf, application, isProven, account } = view
  const title = text('signOut.title')
  const lead =
    application === null
      ? text('signOut.everywhere')
      : withAddress((name) => text('signOut.atApplication', { application: name }), application)
  return page(
    frame,
    { title },
    html`${heading(title, lead)}
      <form method="post" action="${action}">
        <input type="hidden" name="xsrf" value="${xsrf}" />
        ${account !== undefined && html`<input type="hidden" name="account" value="${account.id}" />`}
        ${button(account === undefined ? text('signOut.submit') : text('accounts.endLabel', { name: account.name }), { name: 'logout', value: 'yes' })}
      </form>
      ${
        !isProven &&
        html`<form method="post" action="${action}">
          <input type="hidden" name="xsrf" value="${xsrf}" />
          ${button(text('signOut.stay'), { kind: 'secondary' })}
        </form> `
      }${isProven && inlineScript(submitScript)}`,
  )
}
