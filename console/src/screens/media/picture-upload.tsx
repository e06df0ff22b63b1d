// A field that holds the id of a public picture: it is uploaded, shown, replaced and removed here.
import { useId, useState } from 'react'
import { messageOf } from '../../api/client.ts'
import type { OwnControl } from '../../form/field-spec.ts'
import { useMayCall } from '../../session/rights.ts'
import { useTenant } from '../../session/tenant.tsx'
import { usePictureAddress } from './picture.tsx'
import { mimes, uploadPicture } from './send-bytes.ts'

export interface PictureFieldProps {
  readonly control: OwnControl
  /** The path of the value in the body. */
  readonly name: string
  readonly label: string
  readonly hint: string
}

export function PictureUpload({ control, name, label, hint }: PictureFieldProps) {
  const { id: tenantId } = useTenant()
  const { value, onChange, problemAt } = control
  const id = useId()
  const right = useMayCall('createUpload')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const fileId = typeof value === 'string' ? value : undefined
  const address = usePictureAddress(fileId)
  const isDisabled = control.isDisabled || !right.isAllowed || isSending
  const problem = failure ?? problemAt(name)

  async function upload(file: File) {
    setSending(true)
    setFailure(undefined)
    try {
      onChange(await uploadPicture(tenantId, file))
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="picture-field">
        <span className="thumbnail" aria-busy={isSending}>
          {address === undefined ? null : <img src={address} alt={label} />}
        </span>
        <input
          id={id}
          type="file"
          accept={mimes.join(',')}
          disabled={isDisabled}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file !== undefined) void upload(file)
          }}
        />
        {fileId === undefined ? null : (
          <button type="button" className="button small" disabled={control.isDisabled} onClick={() => onChange(null)}>
            Remove
          </button>
        )}
      </div>
      <p id={`${id}-hint`} className="hint" role={isSending ? 'status' : undefined}>
        {isSending ? 'Uploading …' : right.isAllowed ? hint : right.reason}
      </p>
      {problem === undefined ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
