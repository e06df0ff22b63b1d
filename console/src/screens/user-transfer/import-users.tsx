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
import { locale } from '../../texts/translate.ts'
import { megabytes } from '../../values/passphrase.tsx'
import { ColumnMapping, mappingProblem } from './column-mapping.tsx'
import { type CsvFile, readColumns, toLines } from './columns.ts'
import { type DryRun, type Finding, dryRun } from './user-file.ts'

const counted = new Intl.NumberFormat(locale)

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
function missing(ready: Ready | undefined): string | undefined {
  if (ready === undefined) return 'Choose a file first.'
  if (ready.lines.size <= importJobBytesMax && ready.found.users <= importJobLinesMax) return undefined
  return `A file has at most ${megabytes(importJobBytesMax)} and ${counted.format(importJobLinesMax)} lines. Divide this one.`
}

/** What was found in the file before it is sent. */
function Checked({ checked: { users, findings, further } }: { readonly checked: DryRun }) {
  const problems = findings.length + further
  return (
    <div role="status">
      <p>
        {users === 1 ? '1 user in the file.' : `${counted.format(users)} users in the file.`}{' '}
        {problems === 1 ? '1 line has problems.' : `${counted.format(problems)} lines have problems.`} Nothing has been
        sent.
      </p>
      <Findings findings={findings} />
    </div>
  )
}

const isCsv = ({ name, type }: File) => /\.(?:csv|tsv|txt)$/i.test(name) || type === 'text/csv'

/** Lines of JSON that come from the chosen file, and what was found in them. */
interface Ready {
  readonly lines: Blob
  readonly found: DryRun
}

/** Reads a chosen file in the browser: lines of JSON as they are, separated values as their columns say. */
function useFile() {
  const [file, setFile] = useState<File>()
  const [csv, setCsv] = useState<CsvFile>()
  const check = useWork<Ready>()
  const run = (chosen: File, layout: CsvFile | undefined) =>
    void check.start(async (signal, onCount) => {
      const lines = layout === undefined ? chosen : await toLines(chosen, layout, signal, onCount)
      return { lines, found: await dryRun(lines, signal, onCount) }
    })
  const arrange = (chosen: File, layout: CsvFile) => {
    setCsv(layout)
    check.cancel()
    if (mappingProblem(layout.columns) === undefined) run(chosen, layout)
    else check.reset()
  }
  return {
    file,
    csv,
    check,
    ready: check.work.state === 'done' ? check.work.result : undefined,
    choose: (chosen: File | undefined) => {
      setFile(chosen)
      setCsv(undefined)
      check.cancel()
      check.reset()
      if (chosen === undefined) return
      if (!isCsv(chosen)) run(chosen, undefined)
      else void readColumns(chosen, new AbortController().signal).then((layout) => arrange(chosen, layout))
    },
    map: (columns: CsvFile['columns']) => {
      if (file !== undefined && csv !== undefined) arrange(file, { ...csv, columns })
    },
  }
}

/** Sends the lines of a file. */
function useSending(file: File | undefined) {
  const { id: tenantId } = useTenant()
  const client = useQueryClient()
  const sending = useWork<string>()
  const send = (lines: Blob) =>
    void sending.start(async (signal, onSent) => {
      await uploadClient(onSent).createImportJob({ query: { tenantId }, body: lines, signal })
      await client.invalidateQueries()
      return file?.name ?? ''
    })
  return { ...sending, send }
}

export function ImportUsers() {
  const right = useMayCall('createImportJob')
  const { file, csv, check, ready, choose, map } = useFile()
  const { work, send, cancel, reset } = useSending(file)
  const problem = csv === undefined ? undefined : mappingProblem(csv.columns)
  return (
    <Section
      title="Import"
      about="The file is checked in this browser first. Each line is all or nothing, and sending a file again finishes what was cut short."
    >
      <FileField
        label="File (.csv or .ndjson)"
        accept=".csv,.tsv,.ndjson,.jsonl,.json,text/csv,application/x-ndjson"
        isDisabled={!right.isAllowed}
        onChoose={(chosen) => {
          reset()
          choose(chosen)
        }}
      />
      {csv === undefined ? null : <ColumnMapping columns={csv.columns} onChange={map} />}
      {problem === undefined ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      {check.work.state === 'running' ? (
        <Progress label="Lines checked" count={check.work.count} onCancel={check.cancel} />
      ) : null}
      <WorkFailure of={check.work} />
      {ready === undefined || work.state === 'done' ? null : <Checked checked={ready.found} />}
      {work.state === 'running' ? (
        <Progress
          label="Sent"
          count={Math.min(work.count, ready?.lines.size ?? 0)}
          of={ready?.lines.size ?? 0}
          format={megabytes}
          onCancel={cancel}
        />
      ) : null}
      <WorkFailure of={work} />
      {work.state === 'done' ? (
        <p role="status">{work.result} has arrived. The import goes on if you leave this page.</p>
      ) : null}
      <div className="actions">
        <ActionButton
          right={unlessPrevented(right, problem ?? missing(ready))}
          isPrimary
          onClick={() => ready !== undefined && send(ready.lines)}
        >
          {ready === undefined
            ? 'Import users'
            : ready.found.users === 1
              ? 'Import 1 user'
              : `Import ${counted.format(ready.found.users)} users`}
        </ActionButton>
      </div>
    </Section>
  )
}
