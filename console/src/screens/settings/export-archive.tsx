// A tenant as a file, for another deployment or to be kept.
import { useState } from 'react'
import { ActionButton } from '../../actions/action-button.tsx'
import { bailiwick } from '../../api/client.ts'
import { curlOfExport, sdkOfExport } from '../../form/archive-code.ts'
import { CodePanel } from '../../form/code-panel.tsx'
import { type DownloadTarget, openDownload } from '../../parts/download-target.ts'
import { Section } from '../../parts/page.tsx'
import { Progress, WorkFailure, useWork } from '../../parts/work.tsx'
import { unlessPrevented, useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { Passphrase, megabytes, passphraseLengthMin } from '../../values/passphrase.tsx'

/** Writes the archive to the target as it arrives, and returns its size. */
async function download(
  target: DownloadTarget,
  input: { readonly id: string; readonly passphrase: string; readonly signal: AbortSignal },
  onCount: (bytes: number) => void,
): Promise<number> {
  const { id, passphrase, signal } = input
  let bytes = 0
  try {
    for await (const chunk of bailiwick.exportTenant({ params: { id }, body: { passphrase }, signal })) {
      await target.write(new Uint8Array(chunk))
      bytes += chunk.length
      onCount(bytes)
    }
    signal.throwIfAborted()
    await target.save()
    return bytes
  } catch (error) {
    await target.discard().catch(() => undefined)
    throw error
  }
}

/** Why there is no right to do something that one may do. */
function missing(passphrase: string, isRunning: boolean): string | undefined {
  if (isRunning) return 'The archive is being made.'
  return passphrase.length < passphraseLengthMin ? 'Enter a passphrase first.' : undefined
}

export function ExportArchive() {
  const { id, slug } = useTenant()
  const right = useMayCall('exportTenant')
  const [passphrase, setPassphrase] = useState('')
  const { work, start, cancel } = useWork<number>()
  const isRunning = work.state === 'running'
  const run = () =>
    void start(async (signal, onCount) => {
      const target = await openDownload(`${slug}.bailiwick`)
      const bytes = await download(target, { id, passphrase, signal }, onCount)
      setPassphrase('')
      return bytes
    })
  return (
    <Section
      title="Archive"
      about="The whole tenant in one file, with its users, secrets and pictures, for the import into another deployment."
    >
      <div className="form">
        <Passphrase
          value={passphrase}
          onChange={setPassphrase}
          hint={`At least ${passphraseLengthMin} characters. The file cannot be opened without it, and it cannot be recovered.`}
          isDisabled={isRunning || !right.isAllowed}
          isNew
        />
        {isRunning ? <Progress label="Read" count={work.count} format={megabytes} onCancel={cancel} /> : null}
        <WorkFailure of={work} />
        {work.state === 'done' ? <p role="status">The file is saved: {megabytes(work.result)}.</p> : null}
        <div className="actions">
          <ActionButton right={unlessPrevented(right, missing(passphrase, isRunning))} onClick={run}>
            Export tenant
          </ActionButton>
        </div>
        <CodePanel
          state={{ operationId: 'exportTenant', params: { id }, query: {}, body: { passphrase: '…' } }}
          curl={curlOfExport}
          sdk={sdkOfExport}
        />
      </div>
    </Section>
  )
}
