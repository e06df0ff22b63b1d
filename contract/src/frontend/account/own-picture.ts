import { object, text } from '../../schema.ts'
import { sampleProfile } from '../examples.ts'
import { frontendEndpoint } from '../frontend-endpoint.ts'
import { Profile } from '../shapes.ts'

/** The size of the picture itself, decoded. */
export const pictureBytesMax = 5 * 1024 * 1024
/** Base64 takes four characters for three bytes; a data: prefix names the type. */
const textLengthMax = Math.ceil(pictureBytesMax / 3) * 4 + 64

const common = {
  path: '/user/picture',
  tag: 'Own profile',
  session: 'required',
  data: object({ user: Profile }),
} as const
const response = { user: sampleProfile }

export const setOwnPicture = frontendEndpoint({
  ...common,
  id: 'setOwnPicture',
  method: 'POST',
  summary: 'Set the picture',
  description:
    'Accepts a JPEG, PNG, WebP, GIF or AVIF of at most 5 MiB. It is encoded again before it is stored: upright, cropped to a square of 512 pixels around its most prominent part, without metadata. `imageUri` is then its URL, and the previous picture is removed.',
  body: object({
    image: text({
      minLength: 1,
      maxLength: textLengthMax,
      pattern: '^(?:data:image/[a-z+.-]{1,32};base64,)?[A-Za-z0-9+/]+={0,2}$',
      description: 'The image in base64, or as the data: URL that browsers create from a file',
    }),
  }),
  bodyBytesMax: textLengthMax + 1024,
  errors: ['image_too_large', 'image_unprocessable', 'media_quota_exceeded'],
  example: {
    body: {
      image:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    response,
  },
})

export const deleteOwnPicture = frontendEndpoint({
  ...common,
  id: 'deleteOwnPicture',
  method: 'DELETE',
  summary: 'Remove the picture',
  description: 'Also removes an `imageUri` that names a picture on another site.',
  errors: [],
  example: { response },
})
