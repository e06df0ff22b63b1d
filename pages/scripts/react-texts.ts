// Writes the texts that components of @bailiwick/react share with the hosted pages: those of <ApiKeys/> in every language, and the English ones
// of the panels, which fetch the others from the service. With --check it fails if a file differs.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { panelTextKeys } from '../src/texts/panel-texts.ts'

const pages = fileURLToPath(new URL('../src/texts/', import.meta.url))
const apiKeyNames = {
  title: 'account.keys',
  create: 'keys.create',
  name: 'keys.name',
  nameHint: 'keys.nameHint',
  scopes: 'keys.scopes',
  lifetime: 'keys.lifetime',
  forever: 'keys.forever',
  newTitle: 'keys.newTitle',
  newLead: 'keys.newLead',
  copy: 'keys.copy',
  copied: 'keys.copied',
  unused: 'keys.unused',
  expired: 'keys.expired',
  validUntil: 'keys.validUntil',
  change: 'keys.change',
  changeHint: 'keys.changeHint',
  replace: 'keys.replace',
  end: 'keys.end',
  ended: 'keys.ended',
  limit: 'keys.limit',
  prove: 'verify.title',
  proveLead: 'verify.recentLead',
}

type Texts = Readonly<Record<string, string>>

const readTexts = (language: string) => JSON.parse(readFileSync(`${pages}${language}.json`, 'utf8')) as Texts

function pick(language: string, names: Texts): Texts {
  const all = readTexts(language)
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, key]) => (all[key] === undefined ? [] : [[name, all[key]]])),
  )
}

const languages = globSync('*.json', { cwd: pages })
  .map((file) => basename(file, '.json'))
  .toSorted()
const wanted = {
  'api-keys/texts.json': Object.fromEntries(languages.map((each) => [each, pick(each, apiKeyNames)])),
  'panels/texts.json': pick('en', panelTextKeys),
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
