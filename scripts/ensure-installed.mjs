// Runs before `npm start`, `npm test` and `npm run bench`: installs the locked dependencies if they are missing or older than the lock
// file. Plain JavaScript, because it runs on whatever Node the machine has (20 or newer).
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const modifiedAt = (file) => {
  try {
    return statSync(join(root, file)).mtimeMs
  } catch {
    return undefined
  }
}

const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  console.error(`Bailiwick needs Node.js 20 or newer to install itself; this is ${process.version}.`)
  process.exit(1)
}

const installed = modifiedAt('node_modules/.package-lock.json')
const locked = modifiedAt('package-lock.json')
if (installed === undefined || locked === undefined || installed < locked) {
  console.error('Installing dependencies (npm ci) ...')
  const npm = process.env.npm_execpath
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const result = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (result.status !== 0) {
    console.error('npm ci failed; see its messages above.')
    process.exit(result.status ?? 1)
  }
}
