// Writes the English texts that components of @bailiwick/react share with the hosted pages; they fetch those of other languages from the service.
// With --check it fails if a file differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiKeyTextKeys, panelTextKeys } from '../src/texts/panel-texts.ts'

type Texts = Readonly<Record<string, string>>

const english = JSON.parse(readFileSync(new URL('../src/texts/en.json', import.meta.url), 'utf8')) as Texts
const pick = (keys: Texts) => Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, english[key]]))
const wanted = {
  'api-keys/texts.json': pick(apiKeyTextKeys),
  'panels/texts.json': pick(panelTextKeys),
}
for (const [name, content] of Object.entries(wanted)) {
  const file = fileURLToPath(new URL(`../../react/src/${name}`, import.meta.url))
  const text = `${JSON.stringify(content, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`react/src/${name} is not what the texts of the pages say; run \`npm run openapi\` and commit it.`)
    process.exitCode = 1
  }
}
