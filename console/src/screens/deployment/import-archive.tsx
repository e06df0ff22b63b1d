// A tenant from an archive: the file is sent, checked and written, all of it or nothing.
import type { ImportProgress } from '@bailiwick/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { uploadClient } from '../../api/upload-client.ts'
import { curlOfImport, sdkOfImport } from '../../form/archive-code.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { FileField } from '../../parts/file-field.tsx'
import { Section } from '../../parts/page.tsx'
import { Progress, useWork } from '../../parts/work.tsx'
import { useMayCall } from '../../session/rights.ts'
import { Passphrase, megabytes, passphraseLengthMin } from '../../values/passphrase.tsx'

const counted = new Intl.NumberFormat()
const interrupted = 'The import was interrupted, and nothing was imported.'

/** Why there is no right to do something that one may do. */
function missing(file: File | undefined, passphrase: string, isRunning: boolean): string | undefined {
  if (isRunning) return 'An archive is being imported.'
  if (file === undefined) return 'Choose a file first.'
  return passphrase.length < passphraseLengthMin ? 'Enter the passphrase first.' : undefined
}

export function ImportArchive() {
  const right = useMayCall('importTenant')
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [isTrusted, setTrusted] = useState(false)
  const [line, setLine] = useState<ImportProgress>()
  const { work, start, cancel } = useWork<ImportProgress>()
  const isRunning = work.state === 'running'
  const reason = missing(file, passphrase, isRunning)
  const run = () => {
    if (file === undefined) return
    setLine(undefined)
    void start(async (signal, onCount) => {
      let last: ImportProgress | undefined
      const body = { passphrase, ...(isTrusted ? { trustDomains: 'true' as const } : {}), file }
      for await (const each of uploadClient(onCount).importTenant({ body, signal })) {
        setLine((last = each))
      }
      if (last?.step !== 'imported' && last?.step !== 'failed') throw new Error(interrupted)
      if (last.step === 'imported') {
        setPassphrase('')
        await client.invalidateQueries()
      }
      return last
    })
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
          isDisabled={isRunning || !right.isAllowed}
          onChoose={setFile}
        />
        <Passphrase
          value={passphrase}
          onChange={setPassphrase}
          hint="The passphrase with which it was exported."
          isDisabled={isRunning || !right.isAllowed}
          isNew={false}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={isTrusted}
            disabled={isRunning || !right.isAllowed}
            onChange={(event) => setTrusted(event.target.checked)}
          />
          Trust the archive about verified domains
        </label>
        <p className="hint">
          Only for an archive that you have made yourself. Otherwise each domain has to be verified again, with a new
          record.
        </p>
        {isRunning ? <Running line={line} sent={work.count} size={file?.size ?? 0} onCancel={cancel} /> : null}
        {work.state === 'failed' ? (
          <p className="field-problem" role="alert">
            {work.problem}
          </p>
        ) : null}
        {work.state === 'done' ? <Result line={work.result} /> : null}
        <div className="actions">
          <ActionButton
            right={right.isAllowed && reason !== undefined ? { isAllowed: false, reason } : right}
            onClick={run}
          >
            Import tenant
          </ActionButton>
        </div>
        <CodePanel
          state={{
            operationId: 'importTenant',
            params: {},
            query: {},
            body: { passphrase: '…', file: 'tenant.bailiwick' },
          }}
          curl={curlOfImport}
          sdk={sdkOfImport}
        />
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
