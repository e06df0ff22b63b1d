// What the machine offers: Node, the data directory, space on the disk.
import { existsSync, readdirSync, statSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { keyFiles } from '../../platform/crypto/master-keys.ts'
import { refusedNode } from '../node-version.mjs'
import { type Finding, fail, ok, warn } from './check.ts'

const mebibyte = 1024 * 1024
const freeBytesLow = 1024 * mebibyte
const freeBytesMin = 200 * mebibyte
const othersMay = 0o077

export function checkNode(): Finding {
  const refusal = refusedNode(process.version)
  return refusal === undefined ? ok('node', process.version) : fail('node', process.version, refusal)
}

/** Other users of the machine who can open it can read hashes, personal data or the master key. */
export function checkPermissions({ dataDir }: Config): Finding {
  const check = 'data directory'
  if (!existsSync(dataDir)) return warn(check, `${dataDir} is not there`, 'the first start creates it')
  if (process.platform === 'win32') return ok(check, dataDir)
  const secret = readdirSync(dataDir).filter((name) => /^(?:bailiwick\.db|master\.key)/.test(name))
  const open = ['', ...secret].filter((name) => (statSync(join(dataDir, name)).mode & othersMay) !== 0)
  if (open.length === 0) return ok(check, `${dataDir}, for its owner alone`)
  const paths = open.map((name) => join(dataDir, name)).join(', ')
  return fail(check, `others on this machine can open ${paths}`, 'chmod 700 the directory and 600 its files')
}

export function checkDisk({ dataDir }: Config): Finding {
  const check = 'disk'
  if (!existsSync(dataDir)) return ok(check, 'no data directory yet')
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const detail = `${Math.floor(free / mebibyte)} MiB free`
  if (free < freeBytesMin) return fail(check, detail, `free some space on the disk of ${dataDir}`)
  return free < freeBytesLow ? warn(check, detail, `free some space on the disk of ${dataDir}`) : ok(check, detail)
}

/** Finds an interrupted rotation of the key in the data directory. */
export function checkRotation({ dataDir, masterKey }: Config): Finding {
  const check = 'key rotation'
  if (masterKey !== undefined || !existsSync(join(dataDir, keyFiles.next))) return ok(check, 'none is running')
  return warn(check, 'a rotation was begun and not finished', 'run bailiwick rotate-master-key again')
}
