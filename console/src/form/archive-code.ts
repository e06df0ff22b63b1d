// The requests that send and take the archive of a tenant, as code.
import { asCurl, asSdkCode } from './as-code.ts'

const file = 'tenant.bailiwick'
const answered = /const answer = await (.*)\nconsole\.log\(answer\)/s

export const curlOfExport: typeof asCurl = (...given) => `${asCurl(...given)} \\\n  --fail -o '${file}'`

export const sdkOfExport: typeof asSdkCode = (...given) =>
  `import { createWriteStream } from 'node:fs'\nimport { pipeline } from 'node:stream/promises'\n${asSdkCode(...given)}`.replace(
    answered,
    `await pipeline($1, createWriteStream('${file}'))`,
  )

export const curlOfImport: typeof asCurl = (state, ...others) =>
  `${asCurl({ ...state, body: undefined }, ...others)} \\\n  -F 'passphrase=…' \\\n  -F 'file=@${file}'`

export const sdkOfImport: typeof asSdkCode = (...given) =>
  `import { openAsBlob } from 'node:fs'\n${asSdkCode(...given)}`
    .replace(/file: '.*'/, `file: await openAsBlob('${file}')`)
    .replace(answered, 'for await (const line of $1) console.log(line)')
