import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startProgress } from './progress.ts'

function onTerminal(isTTY: boolean, isJson = false, columns = 60) {
  let written = ''
  let now = 0
  const terminal = {
    isTTY,
    columns,
    write: (text: string) => {
      written += text
      return true
    },
  }
  const progress = startProgress(isJson, terminal, () => now)
  const since = () => {
    const text = written
    written = ''
    return text
  }
  return { ...progress, since, wait: (ms: number) => void (now += ms) }
}

describe('the progress of a command', () => {
  it('is a bar on a terminal, within its width, drawn ten times a second at most and gone at the end', () => {
    const { tell, end, wait, since } = onTerminal(true)
    tell('Rows written', 0, 2000)
    assert.equal(since(), `\r\u001b[K[${'-'.repeat(26)}]  0 %  Rows written: 0 of 2,000`)
    tell('Rows written', 500, 2000)
    assert.equal(since(), '')
    wait(100)
    tell('Rows written', 1000, 2000)
    const [half] = since().split('\u001b[K').slice(1)
    assert.match(half ?? '', /^\[#+-+\] 50 % {2}Rows written: 1,000 of 2,000$/)
    assert.ok((half ?? '').length < 60)
    end()
    assert.equal(since(), '\r\u001b[K')
    end()
    assert.equal(since(), '')
  })

  it('fits on a narrow terminal, and counts what has no total', () => {
    const narrow = onTerminal(true, false, 20)
    narrow.tell('Files copied', 12_345, 67_890)
    assert.equal(narrow.since(), '\r\u001b[KFiles copied: 12,34')
    const open = onTerminal(true)
    open.tell('Texts sealed anew', 7)
    assert.equal(open.since(), '\r\u001b[KTexts sealed anew: 7')
  })

  it('is a line every five seconds elsewhere, the first after as long, in JSON on request', () => {
    for (const isJson of [false, true]) {
      const { tell, end, wait, since } = onTerminal(false, isJson)
      tell('Rows checked', 1)
      wait(4999)
      tell('Rows checked', 2)
      assert.equal(since(), '')
      wait(1)
      tell('Rows checked', 3, 9)
      tell('Rows checked', 4, 9)
      const line = isJson ? '{"progress":{"step":"Rows checked","done":3,"total":9}}' : 'Rows checked: 3 of 9'
      assert.equal(since(), `${line}\n`)
      end()
      assert.equal(since(), '')
    }
  })
})
