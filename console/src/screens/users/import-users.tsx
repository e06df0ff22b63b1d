// Imports users from a file: it is checked here, sent as a whole, and then imported by the service, whether or not this page stays open.
import { importJobBytesMax, importJobLinesMax } from '@bailiwick/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { uploadClient } from '../../api/upload-client.ts'
import { FileField } from '../../parts/file-field.tsx'
import { Section } from '../../parts/page.tsx'
import { Progress, WorkFailure, useWork } from '../../parts/work.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { megabytes } from '../../values/passphrase.tsx'
import { type DryRun, type Finding, dryRun } from './user-file.ts'

const counted = new Intl.NumberFormat()

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

/** Why there is no right to do something that one may do. */
function missing(file: File | undefined, checked: DryRun | undefined): string | undefined {
  if (file === undefined || checked === undefined) return 'Choose a file first.'
  if (file.size <= importJobBytesMax && checked.users <= importJobLinesMax) return undefined
  return `A file has at most ${megabytes(importJobBytesMax)} and ${counted.format(importJobLinesMax)} lines. Divide this one.`
}

/** What was found in the file before it is sent. */
function Checked({ checked: { users, findings, further } }: { readonly checked: DryRun }) {
  return (
    <div role="status">
      <p>
        {counted.format(users)} users in the file, {counted.format(findings.length + further)} lines with problems.
        Nothing has been sent.
      </p>
      <Findings findings={findings} />
    </div>
  )
}

/** Checks a chosen file in the browser, and sends it. */
function useImport() {
  const { id: tenantId } = useTenant()
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const check = useWork<DryRun>()
  const sending = useWork<string>()
  return {
    file,
    check,
    sending,
    checked: check.work.state === 'done' ? check.work.result : undefined,
    choose: (chosen: File | undefined) => {
      setFile(chosen)
      sending.reset()
      if (chosen !== undefined) void check.start((signal, onCount) => dryRun(chosen, signal, onCount))
    },
    send: () => {
      if (file === undefined) return
      void sending.start(async (signal, onSent) => {
        await uploadClient(onSent).createImportJob({ query: { tenantId }, body: file, signal })
        await client.invalidateQueries()
        return file.name
      })
    },
  }
}

export function ImportUsers() {
  const right = useMayCall('createImportJob')
  const { file, check, sending, checked, choose, send } = useImport()
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
      <WorkFailure of={check.work} />
      {checked === undefined || sending.work.state === 'done' ? null : <Checked checked={checked} />}
      {sending.work.state === 'running' ? (
        <Progress
          label="Sent"
          count={Math.min(sending.work.count, file?.size ?? 0)}
          of={file?.size ?? 0}
          format={megabytes}
          onCancel={sending.cancel}
        />
      ) : null}
      <WorkFailure of={sending.work} />
      {sending.work.state === 'done' ? (
        <p role="status">{sending.work.result} has arrived. The import goes on if you leave this page.</p>
      ) : null}
      <div className="actions">
        <ActionButton right={unlessPrevented(right, missing(file, checked))} isPrimary onClick={send}>
          Import {checked === undefined ? 'users' : `${counted.format(checked.users)} users`}
        </ActionButton>
      </div>
    </Section>
  )
}
