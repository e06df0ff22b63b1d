// Writes contract/openapi.json and contract/openapi-frontend.json, or with --check fails if one differs from the contract.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  binaryEndpoints,
  endpoints,
  frontendEndpoints,
  frontendInterface,
  managementInterface,
  openApiDocument,
  openApiText,
} from '@bailiwick/contract'
import packageJson from '../package.json' with { type: 'json' }

const documents = {
  'openapi.json': openApiDocument({ ...endpoints, ...binaryEndpoints }, managementInterface, packageJson.version),
  'openapi-frontend.json': openApiDocument(frontendEndpoints, frontendInterface, packageJson.version),
}

for (const [name, document] of Object.entries(documents)) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const wanted = openApiText(document)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted)
  } else if (readFileSync(file, 'utf8') !== wanted) {
    console.error(`contract/${name} is not what the contract says; run \`npm run openapi\` and commit it.`)
    process.exit(1)
  }
}
