// A tenant from an archive: the file is sent, checked and written, all of it or nothing.
import type { ImportProgress } from '@bailiwick/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import type { InputOf } from '../../api/operations.ts'
import { uploadClient } from '../../api/upload-client.ts'
import { curlOfImport, sdkOfImport } from '../../form/archive-code.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { FileField } from '../../parts/file-field.tsx'
import { Section } from '../../parts/page.tsx'
import { Progress, WorkFailure, useWork } from '../../parts/work.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { locale } from '../../texts/translate.ts'
import { Passphrase, megabytes, passphraseLengthMin } from '../../values/passphrase.tsx'

const counted = new Intl.NumberFormat(locale)
const interrupted = 'The import was interrupted, and nothing was imported.'

/** Why there is no right to do something that one may do. */
function missing(file: File | undefined, passphrase: string, isRunning: boolean): string | undefined {
  if (isRunning) return 'An archive is being imported.'
  if (file === undefined) return 'Choose a file first.'
  return passphrase.length < passphraseLengthMin ? 'Enter the passphrase first.' : undefined
}

/** Sends an archive and follows its import, line by line. */
function useArchiveImport() {
  const client = useQueryClient()
  const [line, setLine] = useState<ImportProgress>()
  const { work, start, cancel } = useWork<ImportProgress>()
  const run = (body: InputOf<'importTenant'>['body'], onImported: () => void) => {
    setLine(undefined)
    void start(async (signal, onCount) => {
      let last: ImportProgress | undefined
      for await (const each of uploadClient(onCount).importTenant({ body, signal })) {
        setLine((last = each))
      }
      if (last?.step !== 'imported' && last?.step !== 'failed') throw new Error(interrupted)
      if (last.step === 'imported') {
        onImported()
        await client.invalidateQueries()
      }
      return last
    })
  }
  return { line, work, run, cancel }
}

const codeState = {
  operationId: 'importTenant',
  params: {},
  query: {},
  body: { passphrase: '…', file: 'tenant.bailiwick' },
} as const

interface TrustProps {
  readonly isTrusted: boolean
  readonly isDisabled: boolean
  readonly onChange: (isTrusted: boolean) => void
}

function TrustChoice({ isTrusted, isDisabled, onChange }: TrustProps) {
  return (
    <>
      <label className="choice">
        <input
          type="checkbox"
          checked={isTrusted}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        Trust the archive about verified domains
      </label>
      <p className="hint">
        Only for an archive that you have made yourself. Otherwise each domain has to be verified again, with a new
        record.
      </p>
    </>
  )
}

export function ImportArchive() {
  const right = useMayCall('importTenant')
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [isTrusted, setTrusted] = useState(false)
  const { line, work, run, cancel } = useArchiveImport()
  const isRunning = work.state === 'running'
  const isDisabled = isRunning || !right.isAllowed
  const send = () => {
    if (file === undefined) return
    run({ passphrase, ...(isTrusted ? { trustDomains: 'true' as const } : {}), file }, () => setPassphrase(''))
  }
  return (
    <Section
      title="Import a tenant"
      about="The tenant of an archive that another deployment has exported. It keeps its ids and keys, and is imported as a whole or not at all."
    >
      <div className="form">
        <FileField
          label="Archive (.bailiwick)"
          accept=".bailiwick,application/octet-stream"
          isDisabled={isDisabled}
          onChoose={setFile}
        />
        <Passphrase
          value={passphrase}
          onChange={setPassphrase}
          hint="The passphrase with which it was exported."
          isDisabled={isDisabled}
          isNew={false}
        />
        <TrustChoice isTrusted={isTrusted} isDisabled={isDisabled} onChange={setTrusted} />
        {isRunning ? <Running line={line} sent={work.count} size={file?.size ?? 0} onCancel={cancel} /> : null}
        <WorkFailure of={work} />
        {work.state === 'done' ? <Result line={work.result} /> : null}
        <div className="actions">
          <ActionButton right={unlessPrevented(right, missing(file, passphrase, isRunning))} onClick={send}>
            Import tenant
          </ActionButton>
        </div>
        <CodePanel state={codeState} curl={curlOfImport} sdk={sdkOfImport} />
      </div>
    </Section>
  )
}

interface RunningProps {
  readonly line: ImportProgress | undefined
  readonly sent: number
  readonly size: number
  readonly onCancel: () => void
}

function Running({ line, sent, size, onCancel }: RunningProps) {
  if (line === undefined) {
    return <Progress label="Sent" count={Math.min(sent, size)} of={size} format={megabytes} onCancel={onCancel} />
  }
  const { step, rows, rowsTotal } = line
  const label = step === 'checking' ? 'Rows checked' : 'Rows written'
  return (
    <Progress label={label} count={rows} {...(rowsTotal === undefined ? {} : { of: rowsTotal })} onCancel={onCancel} />
  )
}

function Result({
  line: { step, tenant, rows, message = interrupted, conflicts = [], domainsToVerify = 0 },
}: {
  readonly line: ImportProgress
}) {
  if (step === 'imported') {
    return (
      <p role="status">
        {tenant === undefined ? 'The tenant' : <Link to={`/t/${tenant.id}`}>{tenant.name}</Link>} is imported, with{' '}
        {counted.format(rows)} rows.
        {domainsToVerify === 0 ? null : ` Domains that have to be verified again: ${counted.format(domainsToVerify)}.`}
      </p>
    )
  }
  return (
    <div role="alert">
      <p className="field-problem">{message}</p>
      <ul className="findings">
        {conflicts.map((conflict) => (
          <li key={conflict}>{conflict}</li>
        ))}
      </ul>
    </div>
  )
}
