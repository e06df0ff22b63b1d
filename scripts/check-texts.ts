// Run by `npm run check`: lists by language which texts are missing, and fails if a language has an unknown key, or if a text fills in other
// values, has other markup or other plural forms than it must. A missing text is no failure, because the English one is shown instead.
import { readTexts, readTranslations } from '../console/src/node/console-texts.ts'
import { compareTexts, englishTexts, textFolders, translations } from './texts/catalogues.ts'

let hasProblems = false
for (const each of textFolders) {
  const english = englishTexts(each)
  const languages = new Map([['en', english], ...translations(each)])
  for (const [tag, texts] of languages) {
    const { missing, problems } = compareTexts(tag, texts, english)
    if (missing.length > 0) console.log(`${each.about}: ${tag} lacks ${missing.length}: ${missing.join(', ')}`)
    for (const problem of problems) console.error(`${each.folder}/${tag}.json: ${problem}`)
    hasProblems ||= problems.length > 0
  }
}

// The console has its English texts in the sources of its screens. A translation of a text that was reworded since is of no use any more,
// and no failure, because the English one is shown until there is another.
const english = Object.fromEntries(readTexts().map((text) => [text, text]))
for (const tag of ['de']) {
  const translated = Object.entries(readTranslations(tag))
  const known = Object.fromEntries(translated.filter(([text]) => Object.hasOwn(english, text)))
  const { missing, problems } = compareTexts(tag, known, english)
  const list = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ')
  if (missing.length > 0) console.log(`console: ${tag} lacks ${missing.length}: ${list(missing)}`)
  const unused = translated.map(([text]) => text).filter((text) => !Object.hasOwn(english, text))
  if (unused.length > 0) console.log(`console: English lacks ${unused.length} of the texts of ${tag}: ${list(unused)}`)
  for (const problem of problems) console.error(`console/src/texts/${tag}.json: ${problem}`)
  hasProblems ||= problems.length > 0
}
if (hasProblems) process.exit(1)
