import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { call, messageOf } from '../../api/client.ts'
import { saveFile } from '../../parts/download-target.ts'
import { useMayCall } from '../../session/rights.ts'

/** Everything that is held about a user, as a file: for people who ask for their data. */
export function DataExport({ userId }: { readonly userId: string }) {
  const right = useMayCall('exportUserData')
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    setProblem(undefined)
    try {
      const data = await call('exportUserData', { params: { id: userId } })
      saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${userId}.json`)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <div className="actions">
      <ActionButton right={right} onClick={() => void run()}>
        Export user data
      </ActionButton>
      {problem === undefined ? null : (
        <span role="alert" className="field-problem">
          {problem}
        </span>
      )}
    </div>
  )
}
