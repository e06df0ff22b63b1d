// A picture of the tenant before and after a transformation that is being edited.
import { type ReactNode, useEffect, useId, useState } from 'react'
import { call, messageOf } from '../../api/client.ts'
import type { InputOf } from '../../api/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useTenant } from '../../session/tenant.tsx'
import { sizeOf, usePictureAddress } from './picture.tsx'

type Body = InputOf<'previewTransformation'>['body']

interface Made {
  readonly address?: string
  readonly bytes?: number
  readonly error?: string
}

/** Browsers recognise every format except SVG by its first bytes. */
const typeOf = (bytes: Uint8Array) => (bytes[0] === 0x3c ? { type: 'image/svg+xml' } : {})

/** Returns the picture that the definition makes; its address is revoked when the next one is made. */
function useMade(definition: string, fileId: string | undefined): Made {
  const { id: tenantId } = useTenant()
  const [made, setMade] = useState<Made>({})
  useEffect(() => {
    if (fileId === undefined) return undefined
    const end = new AbortController()
    const body = { ...(JSON.parse(definition) as Body), tenantId, fileId }
    let address: string | undefined
    call('previewTransformation', { body, signal: end.signal }).then(
      (bytes) => {
        address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], typeOf(bytes)))
        setMade({ address, bytes: bytes.length })
      },
      (error: unknown) => {
        if (!end.signal.aborted) setMade({ error: messageOf(error) })
      },
    )
    return () => {
      end.abort()
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [definition, fileId, tenantId])
  return made
}

function Side({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <figure className="side-by-side">
      <figcaption className="quiet">{title}</figcaption>
      <div className="picture">{children}</div>
    </figure>
  )
}

const names = [
  'outputFormat',
  'outputQuality',
  'outputCompression',
  'outputWidth',
  'outputHeight',
  'outputResizeMode',
  'steps',
]

export function BeforeAfter({ values }: { readonly values: Readonly<Record<string, unknown>> }) {
  const { id: tenantId } = useTenant()
  const chooser = useId()
  const files = useOperation('listFiles', { params: { tenantId }, query: { perPage: '50' } }).data?.data
  const [chosen, setChosen] = useState<string>()
  const file = files?.find(({ id }) => id === chosen) ?? files?.[0]
  const definition = JSON.stringify(Object.fromEntries(names.map((name) => [name, values[name]])))
  const made = useMade(useSettled(definition, 300), file?.id)
  const before = usePictureAddress(file?.id)
  if (files?.length === 0) {
    return <Empty title="There is no picture to try it on">Upload one, and it is shown here before and after.</Empty>
  }
  return (
    <Section title="Before and after">
      <div className="field">
        <label className="label" htmlFor={chooser}>
          Picture
        </label>
        <select id={chooser} value={file?.id ?? ''} onChange={({ target }) => setChosen(target.value)}>
          {files?.map(({ id, path }) => (
            <option key={id} value={id}>
              {path}
            </option>
          ))}
        </select>
      </div>
      <Side title={`Before, ${sizeOf(file?.size ?? null)}`}>
        {before === undefined ? null : <img src={before} alt="Before" />}
      </Side>
      <Side title={made.bytes === undefined ? 'After' : `After, ${sizeOf(made.bytes)}`}>
        {made.address === undefined ? null : <img src={made.address} alt="After" />}
        {made.error === undefined ? null : (
          <p className="form-problem" role="alert">
            {made.error}
          </p>
        )}
      </Side>
    </Section>
  )
}
