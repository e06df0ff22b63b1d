import { Mark } from '../parts/mark.tsx'
import { OperatorEntry } from './operator-entry.tsx'
import { signInAddress } from './sign-in-address.ts'

/** Shown to somebody who has not signed in. The link comes back to the page that was requested. */
export function SignInPage() {
  const { pathname, search } = location
  return (
    <main className="alone">
      <div className="card sign-in">
        <Mark />
        <h1>Sign in to the console</h1>
        <p className="quiet">Administrators sign in with their own account and its second factor.</p>
        <a className="button primary" href={signInAddress(pathname + search)}>
          Sign in
        </a>
        <OperatorEntry />
      </div>
    </main>
  )
}
