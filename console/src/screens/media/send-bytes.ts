// Sends the bytes of a file to where the service has said, with progress, which fetch does not tell.
import type { AnswerOf } from '../../api/operations.ts'

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

function problemOf(status: number, text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: string }
    if (message !== undefined) return message
  } catch {
    // Object stores answer with XML.
  }
  return `The file was refused (${status}).`
}
