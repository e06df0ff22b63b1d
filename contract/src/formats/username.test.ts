import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalUsername, isUsername, usernameKey } from './username.ts'

describe('username', () => {
  it('accepts letters, digits and marks of any script, dots, underscores and hyphens', () => {
    const accepted = [
      'a',
      '7',
      'kate.b_c-d',
      'Zoë',
      'zoe\u0308',
      'नमस्ते',
      '用户',
      '𠮷',
      'ＡＢＣ',
      'ﬁ',
      'x'.repeat(64),
      '𠮷'.repeat(64),
    ]
    for (const username of accepted) assert.equal(isUsername(username), true, username)
  })

  it('refuses everything else', () => {
    const refused = [
      '',
      '.a',
      '_a',
      '-a',
      '\u0301a',
      'a b',
      ' a',
      'a ',
      'a@b',
      'a＠b',
      'a\n',
      'a\0',
      'a/b',
      '<img>',
      '{{7}}',
      '😀',
    ]
    const hidden = ['a\u200db', 'a\u00adb', 'a\ufe0f', 'a\u034fb', 'a\u3164', 'a\u202eb', 'a\u00a0b', 'a\ud800']
    for (const username of [...refused, ...hidden, 'x'.repeat(65), 'ﬃ'.repeat(22)]) {
      assert.equal(isUsername(username), false, JSON.stringify(username))
    }
  })

  it('decides uniqueness without regard to case and compatibility forms', () => {
    for (const [one, other] of [
      ['Kate', '\u212Aate'],
      ['ſam', 'SAM'],
      ['Straße', 'STRASSE'],
      ['ＡＢＣ', 'abc'],
      ['Zoë', 'zoe\u0308'],
    ] as const) {
      assert.equal(usernameKey(one), usernameKey(other))
    }
    assert.notEqual(usernameKey('kate'), usernameKey('kаte'))
  })

  it('is stable: the canonical form is acceptable, its own canonical form, and has the same key', () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(...Array.from('aZ9._-éſßﬁＡ')),
    )
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 20 }), (username) => {
        const canonical = canonicalUsername(username)
        assert.equal(canonicalUsername(canonical), canonical)
        assert.equal(isUsername(canonical), isUsername(username))
        assert.equal(usernameKey(canonical), usernameKey(username))
        assert.equal(usernameKey(usernameKey(username)), usernameKey(username))
      }),
    )
  })
})
