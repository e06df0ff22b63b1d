// Writes contract/openapi.json, or with --check fails where it differs from what the contract says.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endpoints, openApiDocument } from '@bailiwick/contract'

const file = fileURLToPath(new URL('../openapi.json', import.meta.url))
const wanted = `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    console.error('contract/openapi.json is not what the contract says; run `npm run openapi` and commit it.')
    process.exit(1)
  }
} else {
  writeFileSync(file, wanted)
}
