// What `npm run pack` runs.
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { packAll } from './packages/build.ts'
import { outputFolder } from './packages/published.ts'

for (const { tarball } of packAll(outputFolder)) {
  console.log(`${relative(process.cwd(), tarball)}  ${Math.ceil(statSync(tarball).size / 1024)} kB`)
}
