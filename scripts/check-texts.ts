// Run by `npm run check`: lists by language which texts are missing, and fails if a language has an unknown key, or if a text fills in other
// values, has other markup or other plural forms than it must. A missing text is no failure, because the English one is shown instead.
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
if (hasProblems) process.exit(1)
