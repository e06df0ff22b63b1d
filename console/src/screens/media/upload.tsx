import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../api/client.ts'
import type { AnswerOf } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { FileField } from '../../parts/file-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { toast } from '../../parts/toasts.tsx'
import { useTenant, useTenantPath } from '../../session/tenant.tsx'
import { sizeOf } from './picture.tsx'
import { mimes, sendBytes, untilFinished } from './send-bytes.ts'

interface Transfer {
  readonly sent: number
  readonly error?: string
  readonly cancel: () => void
}

function useTransfer() {
  const path = useTenantPath()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [transfer, setTransfer] = useState<Transfer>()
  async function send(upload: AnswerOf<'createUpload'>, file: File) {
    const { done, cancel } = sendBytes(upload, file, (sent) => setTransfer({ sent, cancel }))
    setTransfer({ sent: 0, cancel })
    try {
      await done
      await untilFinished(upload.id)
      toast('The picture is uploaded.')
      void client.invalidateQueries()
      void navigate({ to: path(`media/${upload.id}`) })
    } catch (error) {
      setTransfer({ sent: 0, error: messageOf(error), cancel })
    }
  }
  return { transfer, send }
}

export function Upload() {
  const { id: tenantId } = useTenant()
  const [file, setFile] = useState<File>()
  const { transfer, send } = useTransfer()
  const isSending = transfer !== undefined && transfer.error === undefined
  return (
    <Page title="Upload a picture">
      <Section title="Picture" about="JPEG, PNG, WebP, GIF, AVIF or SVG, at most 20 MB.">
        <FileField label="File" accept={mimes.join(',')} isDisabled={isSending} onChoose={setFile} />
        {file === undefined ? null : (
          <OperationForm
            key={`${file.name} ${file.size}`}
            operation="createUpload"
            start={{ tenantId, access: 'public', originalFilename: file.name, mime: file.type, size: file.size }}
            fields={[
              { name: 'access', hint: 'A private picture is shown only under addresses that are signed and expire.' },
              { name: 'path', hint: 'A name to find it by, such as brand/logo.png. If empty, the name of the file.' },
            ]}
            submit="Upload"
            onDone={(upload) => void send(upload, file)}
          />
        )}
        {transfer === undefined || file === undefined ? null : transfer.error === undefined ? (
          <div className="progress" role="status">
            <label>
              {sizeOf(transfer.sent)} of {sizeOf(file.size)}
              <progress max={file.size} value={transfer.sent} />
            </label>
            <button type="button" className="button" onClick={transfer.cancel}>
              Cancel
            </button>
          </div>
        ) : (
          <p className="form-problem" role="alert">
            {transfer.error}
          </p>
        )}
      </Section>
    </Page>
  )
}
