import assert from 'node:assert/strict'
import { posix, win32 } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isFileName, isMediaPath } from './media-name.ts'

const hostileParts = ['..', '.', '', '%2e%2e', '%2f', '\\', '..\\', '\0', 'C:\\', '\n', '\ud800', ' .. ', '/']
const names = fc.array(fc.oneof(fc.string(), fc.constantFrom(...hostileParts), fc.constant('/')), { maxLength: 6 })

describe('a file name', () => {
  it('never leads to another folder when it is joined to a path', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const name = parts.join('')
        if (!isFileName(name)) return
        assert.equal(posix.dirname(posix.join('/files', name)), '/files')
        assert.ok(!name.includes('\\') && !name.includes('\0'))
      }),
    )
  })

  it('may be anything that people usually call their files', () => {
    for (const name of ['ada.png', 'Ünïcode ✨.svg', '100%.gif', 'a..b', '...']) assert.ok(isFileName(name), name)
  })

  it('is not a path', () => {
    for (const name of ['', ' ', '.', '..', '../a', '/a', 'a/b', 'a\\b', 'C:\\a', 'a\0.png', 'a\nb']) {
      assert.ok(!isFileName(name), JSON.stringify(name))
    }
  })
})

describe('a path of a file', () => {
  it('stays below the folder to which it is joined, on every system', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const path = parts.join('')
        if (!isMediaPath(path)) return
        assert.ok(posix.join('/files', path).startsWith('/files/'))
        assert.ok(win32.join('c:\\files', path).startsWith('c:\\files\\'))
        assert.ok(!path.includes('%'))
      }),
    )
  })

  it('consists of valid names', () => {
    for (const path of ['a', 'avatars/ada.png', 'a/b/c.d']) assert.ok(isMediaPath(path), path)
    for (const path of ['', '/a', 'a/', 'a//b', 'a/../b', '..', './a', 'a\\b', '%2e%2e/a', 'a\0', 'x'.repeat(513)]) {
      assert.ok(!isMediaPath(path), JSON.stringify(path))
    }
  })
})
