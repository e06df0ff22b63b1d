// Events of files and of the images made from them.
import { boolean, integer, nullableInteger, object, oneOf, text } from '../schema.ts'
import { accesses } from '../shapes/media/media.ts'
import { Transformation } from '../shapes/media/transformation.ts'
import { event } from './event-definition.ts'

const upload = { mime: text(), size: integer({ description: 'In bytes' }), access: oneOf(accesses) }

export const mediaEvents = {
  'upload.created': event({
    subject: 'upload',
    permission: 'media:read',
    sentence: 'A file was announced.',
    data: object({ after: object(upload) }),
  }),
  'upload.completed': event({
    subject: 'upload',
    permission: 'media:read',
    sentence: 'The bytes of an announced file arrived, which makes it a file.',
    data: object({ after: object({ ...upload, width: nullableInteger(), height: nullableInteger() }) }),
  }),
  'upload.deleted': event({
    subject: 'upload',
    permission: 'media:read',
    sentence: 'An upload or file was deleted, or an upload expired.',
    data: object({
      before: object({ ...upload, finished: boolean({ description: 'Whether the upload had become a file' }) }),
    }),
  }),
  'transformation.created': event({
    subject: 'transformation',
    permission: 'media:read',
    sentence: 'A transformation of images was created.',
    data: object({ after: Transformation }),
  }),
  'transformation.updated': event({
    subject: 'transformation',
    permission: 'media:read',
    sentence: 'A transformation of images was changed.',
    data: object({ before: Transformation, after: Transformation }),
  }),
  'transformation.deleted': event({
    subject: 'transformation',
    permission: 'media:read',
    sentence: 'A transformation of images was deleted.',
    data: object({ before: Transformation }),
  }),
}
