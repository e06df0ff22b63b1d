// A form with a file (RFC 7578), as browsers send it: the fields of any other form, and the file beside them.
import { pictureBytesMax } from '@bailiwick/contract'
import { ApiError } from '../../platform/http/api-error.ts'

const partsMax = 20

export class FileForm {
  readonly fields = new URLSearchParams()
  /** Undefined if no file was chosen: browsers then send an empty one. */
  file: Buffer | undefined
}

const malformed = (cause?: unknown) => new ApiError('malformed_request', { cause })

/**
 * Reads a form that is in memory already.
 * @throws ApiError malformed_request, payload_too_large
 */
export async function parseFileForm(contentType: string, body: Buffer): Promise<FileForm> {
  const { Busboy } = await import('@fastify/busboy')
  return new Promise((resolve, reject) => {
    const form = new FileForm()
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          parts: partsMax,
          fields: partsMax,
          files: 1,
          fileSize: pictureBytesMax + 1,
          fieldNameSize: 100,
          fieldSize: 16_384,
          headerPairs: 20,
          headerSize: 8192,
        },
      })
    } catch (error) {
      reject(malformed(error))
      return
    }
    parser.on('field', (name, value) => form.fields.append(name, value))
    parser.on('file', (_name, stream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', (error) => reject(malformed(error)))
      stream.on('end', () => {
        const file = Buffer.concat(chunks)
        if (file.length > 0) form.file = file
      })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.once(limit, () => reject(malformed()))
    }
    parser.on('error', (error) => reject(malformed(error)))
    parser.on('finish', () => resolve(form))
    parser.end(body)
  })
}
