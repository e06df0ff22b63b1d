import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { DirectoryInUse, DirectoryUnusable, lockDirectory } from './directory-lock.ts'

const module = new URL('directory-lock.ts', import.meta.url).href
const holding = `const { lockDirectory } = await import(${JSON.stringify(module)})
lockDirectory(process.argv[1])
console.log('held')
setInterval(() => undefined, 1000)`

describe('lockDirectory', () => {
  let parent: string
  let directory: string
  let child: ChildProcess | undefined
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'bailiwick-lock-'))
    directory = join(parent, 'data')
  })
  afterEach(() => {
    child?.kill('SIGKILL')
    rmSync(parent, { recursive: true, force: true })
  })

  const startHolder = async () => {
    child = spawn(process.execPath, ['--input-type=module', '-e', holding, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    assert.ok(child.stdout)
    await once(child.stdout, 'data')
    return child
  }

  it('names the directory and what is wrong with it where it cannot be written to', () => {
    // Root, as which some run the tests, may write anywhere, so the obstacle must be more than a missing permission.
    const file = join(parent, 'file')
    writeFileSync(file, '')
    mkdirSync(join(parent, 'blocked', 'lock.db'), { recursive: true })
    const unusable = { [file]: /EEXIST/, [join(file, 'below')]: /ENOTDIR/, [join(parent, 'blocked')]: /unable to open/ }
    for (const [path, reason] of Object.entries(unusable)) {
      const isTold = ({ name, message }: Error) =>
        name === DirectoryUnusable.name && message.includes(`${path} must be a folder`) && reason.test(message)
      assert.throws(() => lockDirectory(path), isTold)
    }
  })

  it('refuses a directory that another process holds, and says which and since when', async () => {
    const holder = await startHolder()
    assert.throws(
      () => lockDirectory(directory),
      (error) => {
        assert.ok(error instanceof DirectoryInUse)
        assert.equal(error.holder?.pid, holder.pid)
        assert.match(error.message, new RegExp(`process ${holder.pid} .*running since \\d{4}-`))
        assert.match(error.message, /Stop that process first/)
        return true
      },
    )
  })

  it('gets the directory of a holder that was killed', async () => {
    const holder = await startHolder()
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    assert.ok(existsSync(join(directory, 'holder.json')), 'the killed process could not remove it')
    lockDirectory(directory).release()
  })

  it('can be taken again once released, by this process too', () => {
    const lock = lockDirectory(directory)
    assert.throws(() => lockDirectory(directory), DirectoryInUse)
    lock.release()
    lock.release()
    assert.equal(existsSync(join(directory, 'holder.json')), false)
    lockDirectory(directory).release()
  })

  it('makes the directory for its owner alone', () => {
    lockDirectory(directory).release()
    assert.equal(statSync(directory).mode & 0o777, 0o700)
  })
})
