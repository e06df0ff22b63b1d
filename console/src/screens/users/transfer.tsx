// Imports users from a file and exports them into one: each with progress, and can be cancelled at any time.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bailiwick } from '../../api/client.ts'
import { ActionButton } from '../../actions/action-button.tsx'
import { FileField } from '../../parts/file-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { saveFile } from '../../parts/download-target.ts'
import { Progress, useWork } from '../../parts/work.tsx'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { type DryRun, type Finding, dryRun, usersOf } from './user-file.ts'

const counted = new Intl.NumberFormat()

export function UserTransfer() {
  return (
    <Page title="Import and export" about="Users as lines of JSON: one object a line.">
      <Import />
      <Export />
    </Page>
  )
}

interface Imported {
  readonly created: number
  readonly exists: number
  readonly findings: readonly Finding[]
  readonly failed: number
}

const shownMax = 100

async function importFile(
  tenantId: string,
  file: File,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<Imported> {
  const findings: Finding[] = []
  let created = 0
  let exists = 0
  let failed = 0
  const answers = bailiwick.importUsers({ query: { tenantId }, body: usersOf(file, signal), signal })
  for await (const answer of answers) {
    if ('summary' in answer) continue
    if (answer.status === 'created') created++
    else if (answer.status === 'exists') exists++
    else {
      failed++
      const problem = (answer.issues ?? []).map(({ path, message }) => `${path} ${message}`).join('; ')
      if (findings.length < shownMax) findings.push({ line: answer.line, problem })
    }
    if (answer.line % 50 === 0) onCount(answer.line)
  }
  return { created, exists, findings, failed }
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null
  return (
    <ul className="findings">
      {findings.map(({ line, problem }) => (
        <li key={line}>
          Line {line}: {problem}
        </li>
      ))}
    </ul>
  )
}

function Import() {
  const { id: tenantId } = useTenant()
  const right = useMayCall('importUsers')
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const check = useWork<DryRun>()
  const sending = useWork<Imported>()
  const checked = check.work.state === 'done' ? check.work.result : undefined
  const sent = sending.work.state === 'done' ? sending.work.result : undefined
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    sending.reset()
    if (chosen !== undefined) void check.start((signal, onCount) => dryRun(chosen, signal, onCount))
  }
  const send = () => {
    if (file === undefined) return
    void sending.start(async (signal, onCount) => {
      const result = await importFile(tenantId, file, signal, onCount)
      await client.invalidateQueries()
      return result
    })
  }
  return (
    <Section
      title="Import"
      about="The file is checked in this browser first. Each line is all or nothing, and sending a file again finishes what was cut short."
    >
      <FileField
        label="File (.ndjson)"
        accept=".ndjson,.jsonl,.json,application/x-ndjson"
        isDisabled={!right.isAllowed}
        onChoose={choose}
      />
      {check.work.state === 'running' ? (
        <Progress label="Lines checked" count={check.work.count} onCancel={check.cancel} />
      ) : null}
      {check.work.state === 'failed' ? (
        <p className="field-problem" role="alert">
          {check.work.problem}
        </p>
      ) : null}
      {checked === undefined ? null : (
        <div role="status">
          <p>
            {counted.format(checked.users)} users in the file,{' '}
            {counted.format(checked.findings.length + checked.further)} lines with problems. Nothing has been sent.
          </p>
          <Findings findings={checked.findings} />
        </div>
      )}
      {sending.work.state === 'running' ? (
        <Progress label="Users sent" count={sending.work.count} of={checked?.users ?? 0} onCancel={sending.cancel} />
      ) : null}
      {sending.work.state === 'failed' ? (
        <p className="field-problem" role="alert">
          {sending.work.problem}
        </p>
      ) : null}
      {sent === undefined ? null : (
        <div role="status">
          <p>
            {counted.format(sent.created)} created, {counted.format(sent.exists)} were there already,{' '}
            {counted.format(sent.failed)} refused.
          </p>
          <Findings findings={sent.findings} />
        </div>
      )}
      <div className="actions">
        <ActionButton
          right={
            checked === undefined && right.isAllowed ? { isAllowed: false, reason: 'Choose a file first.' } : right
          }
          isPrimary
          onClick={send}
        >
          Import {checked === undefined ? 'users' : `${counted.format(checked.users)} users`}
        </ActionButton>
      </div>
    </Section>
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
