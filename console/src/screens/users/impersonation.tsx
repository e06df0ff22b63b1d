// Acting on behalf of a user, for support: a marked session of ten minutes, whose token is shown once.
import { useState } from 'react'
import { OperationForm } from '../../form/operation-form.tsx'
import { CopySecret } from '../../values/copy.tsx'

export function Impersonation({ userId }: { readonly userId: string }) {
  const [token, setToken] = useState<string>()
  return (
    <details className="more" onToggle={(event) => event.currentTarget.open || setToken(undefined)}>
      <summary>Impersonate user</summary>
      {token === undefined ? (
        <OperationForm
          operation="impersonateUser"
          params={{ id: userId }}
          fields={[
            {
              name: 'reason',
              hint: 'Such as the number of a ticket. The event log records it, and every change in the session.',
            },
          ]}
          submit="Open a session"
          onDone={({ sessionToken }) => setToken(sessionToken)}
        />
      ) : (
        <div className="form">
          <p>This token acts as the user for ten minutes. It is not shown again after you close this.</p>
          <CopySecret name="The token" read={async () => token} />
        </div>
      )}
    </details>
  )
}
