// What `npm run pack` runs. `--repository https://github.com/owner/name` has the packages say where their sources are.
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/build.ts'
import { outputFolder } from './packages/published.ts'

const { values } = parseArgs({ options: { repository: { type: 'string' } } })
for (const { tarball } of packAll(outputFolder, values.repository)) {
  console.log(`${relative(process.cwd(), tarball)}  ${Math.ceil(statSync(tarball).size / 1024)} kB`)
}
