// The request that a form makes, as code to copy.
import { useState } from 'react'
import { operations } from 'virtual:operations'
import { DocsLink } from '../session/docs-link.tsx'
import type { Session } from '../session/read-session.ts'
import { useSession } from '../session/session.tsx'
import { CopyButton } from '../values/copy.tsx'
import { type CodePlace, asCurl, asSdkCode } from './as-code.ts'
import type { FormState } from './form-state.ts'

/** Returns the key that the request needs outside of the console, where there is no session. */
const keyOf = (session: Session): CodePlace['key'] =>
  session.kind === 'user' ? 'tenant' : session.by === 'key' ? 'operator' : 'none'

interface CodePanelProps {
  readonly state: FormState
  /** What writes the code, for operations whose request or answer is a file. */
  readonly curl?: typeof asCurl
  readonly sdk?: typeof asSdkCode
}

export function CodePanel({ state, curl = asCurl, sdk = asSdkCode }: CodePanelProps) {
  const [isSdk, setSdk] = useState(false)
  const session = useSession()
  const place = { baseUrl: `${location.origin}/api/v0`, key: keyOf(session) }
  const code = isSdk ? sdk(state, place) : curl(state, operations[state.operationId], place)
  return (
    <details className="code-panel">
      <summary>As code</summary>
      <div className="code-head">
        <div role="group" aria-label="Language" className="segments">
          <button type="button" aria-pressed={!isSdk} onClick={() => setSdk(false)}>
            curl
          </button>
          <button type="button" aria-pressed={isSdk} onClick={() => setSdk(true)}>
            SDK
          </button>
        </div>
        <DocsLink path={`reference/#${state.operationId}`}>Reference</DocsLink>
        <CopyButton text={code} label="Copy code" />
      </div>
      {/* It scrolls, and so it must be reachable by keyboard. */}
      <pre tabIndex={0} aria-label={isSdk ? 'As SDK code' : 'As curl'}>
        <code>{code}</code>
      </pre>
      {place.key === 'none' ? null : (
        <p className="quiet">
          {place.key === 'tenant' ? (
            <>
              Keep the tenant's secret key in <code>BAILIWICK_SECRET_KEY</code>
            </>
          ) : (
            <>
              Keep the operator's key in <code>BAILIWICK_OPERATOR_KEY</code>
            </>
          )}
          , never in the code.
        </p>
      )}
    </details>
  )
}
