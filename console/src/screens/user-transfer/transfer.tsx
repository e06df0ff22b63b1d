// Imports users from a file and exports them into one: each with progress, and can be cancelled at any time.
import { ActionButton } from '../../actions/action-button.tsx'
import { bailiwick } from '../../api/client.ts'
import { saveFile } from '../../parts/download-target.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Progress, useWork } from '../../parts/work.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { ImportJobs } from './import-jobs.tsx'
import { ImportUsers } from './import-users.tsx'

export function UserTransfer() {
  return (
    <Page title="Import and export" about="Users as a table (CSV) or as lines of JSON.">
      <ImportUsers />
      <ImportJobs />
      <Export />
    </Page>
  )
}

/** Joins lines into parts of a size that the browser may put on its disk. */
const partLines = 1000

async function exportFile(tenantId: string, signal: AbortSignal, onCount: (count: number) => void): Promise<Blob> {
  const parts: Blob[] = []
  let lines: string[] = []
  let count = 0
  for await (const user of bailiwick.exportUsers({ query: { tenantId }, signal })) {
    lines.push(`${JSON.stringify(user)}\n`)
    count++
    if (lines.length < partLines) continue
    parts.push(new Blob(lines))
    lines = []
    onCount(count)
  }
  return new Blob([...parts, ...lines], { type: 'application/x-ndjson' })
}

function Export() {
  const { id: tenantId, slug } = useTenant()
  const right = useMayCall('exportUsers')
  const { work, start, cancel } = useWork<Blob>()
  const run = () =>
    void start(async (signal, onCount) => {
      const blob = await exportFile(tenantId, signal, onCount)
      saveFile(blob, `${slug}-users.ndjson`)
      return blob
    })
  return (
    <Section title="Export" about="Every user with addresses, numbers and data; no passwords and no factors.">
      {work.state === 'running' ? <Progress label="Users read" count={work.count} onCancel={cancel} /> : null}
      {work.state === 'failed' ? (
        <p className="field-problem" role="alert">
          {work.problem}
        </p>
      ) : null}
      {work.state === 'done' ? <p role="status">The file is saved.</p> : null}
      <div className="actions">
        <ActionButton right={right} onClick={run}>
          Export users
        </ActionButton>
      </div>
    </Section>
  )
}
