import { Suspense, lazy } from 'react'
import type { PictureFieldProps } from './picture-upload.tsx'

/** Apart from the forms that have such a field, with what uploads a file. */
const PictureUpload = lazy(async () => ({ default: (await import('./picture-upload.tsx')).PictureUpload }))

/** A field that holds the id of a public picture. */
export const PictureField = (props: PictureFieldProps) => (
  <Suspense fallback={<div className="picture-space" />}>
    <PictureUpload {...props} />
  </Suspense>
)
