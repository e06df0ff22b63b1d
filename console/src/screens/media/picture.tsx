import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { Icon } from '../../parts/icon.tsx'
import { locale } from '../../texts/translate.ts'

const hourSeconds = 3600
/** Larger files are not loaded for a thumbnail. */
const smallBytesMax = 1_000_000

/** The address of a picture, even a private one, for an hour. It is kept so that the picture does not flicker when lists are read again. */
export function usePictureAddress(fileId: string | undefined): string | undefined {
  const [signed, setSigned] = useState<{ readonly fileId: string; readonly url: string }>()
  useEffect(() => {
    if (fileId === undefined) return undefined
    const end = new AbortController()
    call('signFile', { params: { id: fileId }, body: { expiresIn: hourSeconds }, signal: end.signal }).then(
      ({ url }) => setSigned({ fileId, url }),
      () => undefined,
    )
    return () => end.abort()
  }, [fileId])
  return signed?.fileId === fileId ? signed?.url : undefined
}

export function Thumbnail({ id, size }: { readonly id: string; readonly size: number | null }) {
  const isSmall = (size ?? Infinity) <= smallBytesMax
  const address = usePictureAddress(isSmall ? id : undefined)
  return (
    <span className="thumbnail">{address === undefined ? <Icon name="image" /> : <img src={address} alt="" />}</span>
  )
}

const kinds: Readonly<Record<string, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'image/avif': 'AVIF',
  'image/svg+xml': 'SVG',
}

/** Returns `image/png` as "PNG". */
export const kindOfPicture = (mime: string): string => kinds[mime] ?? mime

const amounts = [
  ['megabyte', 1_000_000],
  ['kilobyte', 1000],
  ['byte', 1],
] as const

export function sizeOf(bytes: number | null): string {
  if (bytes === null) return ''
  const [unit, amount] = amounts.find(([, least]) => bytes >= least) ?? (['byte', 1] as const)
  // The short form of the unit would give "67 byte".
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(
    bytes / amount,
  )
}
