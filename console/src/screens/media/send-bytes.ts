// Sends the bytes of a file to the address that the service has given, with progress, which fetch does not report.
import { schemas } from 'virtual:operation-schemas'
import { call } from '../../api/client.ts'
import type { AnswerOf, InputOf } from '../../api/operations.ts'
import { translateMessage } from '../../api/service-messages.ts'
import { choicesOf, schemaAt } from '../../form/schema.ts'

/** The kinds of pictures that can be uploaded. */
export const mimes = choicesOf(schemaAt(schemas.createUpload.body, 'mime')).map(({ value }) => value)
const pauseMs = 500

export interface Sending {
  readonly done: Promise<void>
  readonly cancel: () => void
}

export function sendBytes(
  { uploadUrl, fields }: AnswerOf<'createUpload'>,
  file: File,
  onProgress: (bytes: number) => void,
): Sending {
  const request = new XMLHttpRequest()
  const names = Object.entries(fields)
  request.open(names.length === 0 ? 'PUT' : 'POST', uploadUrl)
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  const done = new Promise<void>((resolve, reject) => {
    request.addEventListener('load', () =>
      request.status < 300 ? resolve() : reject(new Error(problemOf(request.status, request.responseText))),
    )
    request.addEventListener('error', () =>
      reject(new Error('The file could not be sent. Check the connection and try again.')),
    )
    request.addEventListener('abort', () => reject(new Error('The upload is cancelled.')))
  })
  if (names.length === 0) {
    request.send(file)
  } else {
    const form = new FormData()
    for (const [name, value] of names) form.append(name, value)
    form.append('file', file)
    request.send(form)
  }
  return { done, cancel: () => request.abort() }
}

/** Waits until the service knows the file: an object store reports what has arrived, and until then the upload is not a file. */
export async function untilFinished(id: string): Promise<void> {
  while ((await call('getUpload', { params: { id } })).finishedAt === null) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Uploads a public picture and returns the id of its file. */
export async function uploadPicture(tenantId: string, file: File): Promise<string> {
  const announced = { tenantId, access: 'public', originalFilename: file.name, mime: file.type, size: file.size }
  const upload = await call('createUpload', { body: announced } as InputOf<'createUpload'>)
  await sendBytes(upload, file, () => undefined).done
  await untilFinished(upload.id)
  return upload.id
}

function problemOf(status: number, text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: string }
    if (message !== undefined) return translateMessage(message)
  } catch {
    // Object stores answer with XML.
  }
  return `The file was refused (${status}).`
}
