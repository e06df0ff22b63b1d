import { Suspense } from 'react'
import { lazyPart } from '../../parts/not-loaded.tsx'
import type { PictureFieldProps } from './picture-upload.tsx'

/** Loaded separately from the forms that have such a field, because it includes the code that uploads a file. */
const PictureUpload = lazyPart(async () => (await import('./picture-upload.tsx')).PictureUpload)

/** A field that holds the id of a public picture. */
export const PictureField = (props: PictureFieldProps) => (
  <Suspense fallback={<div className="picture-space" />}>
    <PictureUpload {...props} />
  </Suspense>
)
