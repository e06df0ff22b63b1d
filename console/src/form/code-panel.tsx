// The request that a form makes, as code to copy.
import { operations } from 'virtual:operations'
import { useState } from 'react'
import { CopyButton } from '../parts/copy.tsx'
import { useSession } from '../session/session.tsx'
import { asCurl, asSdkCode } from './as-code.ts'
import type { FormState } from './form-state.ts'

export function CodePanel({ state }: { readonly state: FormState }) {
  const [isSdk, setSdk] = useState(false)
  const session = useSession()
  const place = { baseUrl: `${location.origin}/api/v0`, needsNoKey: session.kind === 'operator' }
  const code = isSdk ? asSdkCode(state, place) : asCurl(state, operations[state.operationId], place)
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
        <CopyButton text={code} />
      </div>
      {/* It scrolls, and so it must be reachable by keyboard. */}
      <pre tabIndex={0} aria-label={isSdk ? 'As SDK code' : 'As curl'}>
        <code>{code}</code>
      </pre>
      {session.kind === 'operator' ? null : (
        <p className="quiet">
          Keep the tenant's secret key in <code>BAILIWICK_SECRET_KEY</code>, never in the code.
        </p>
      )}
    </details>
  )
}
