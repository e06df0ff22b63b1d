// Checks the types of every project. What did not change since the last check is not checked again: TypeScript keeps what it found out in
// node_modules/.cache.
import { spawnSync } from 'node:child_process'

const projects = [
  'tsconfig.json',
  'pages/tsconfig.browser.json',
  'site/tsconfig.browser.json',
  'react/tsconfig.json',
  'console/tsconfig.json',
  'console/test/tsconfig.json',
]

for (const project of projects) {
  const record = `node_modules/.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`
  const options = ['--noEmit', '--incremental', '--tsBuildInfoFile', record, '-p', project]
  const { status } = spawnSync('tsc', options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
