// Run by `.ci/run`: checks the commits since the one that `last-unchecked.txt` names. Those before it cannot be changed any more.
import { readFileSync } from 'node:fs'
import { checkCommits } from './commits.ts'

const base = readFileSync(new URL('last-unchecked.txt', import.meta.url), 'utf8').trim()
const { problems, note } = checkCommits(process.cwd(), base)
console.log(note)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
