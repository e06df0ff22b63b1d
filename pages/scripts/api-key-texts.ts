// Writes react/src/api-keys/texts.json, the texts of <ApiKeys/> in every language of the hosted pages, which show the same; with --check it
// fails if the file differs.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const pages = fileURLToPath(new URL('../src/texts/', import.meta.url))
const names = {
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

const languages = globSync('*.json', { cwd: pages }).toSorted()
const texts = languages.map((file) => {
  const all = JSON.parse(readFileSync(pages + file, 'utf8')) as Readonly<Record<string, string>>
  const own = Object.entries(names).flatMap(([name, key]) => (all[key] === undefined ? [] : [[name, all[key]]]))
  return [basename(file, '.json'), Object.fromEntries(own) as Readonly<Record<string, string>>] as const
})
const wanted = `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
const file = fileURLToPath(new URL('../../react/src/api-keys/texts.json', import.meta.url))

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted)
} else if (readFileSync(file, 'utf8') !== wanted) {
  console.error(
    'react/src/api-keys/texts.json is not what the texts of the pages say; run `npm run openapi` and commit it.',
  )
  process.exit(1)
}
