import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog } from '../log.ts'
import { createRequestLog } from './request-log.ts'

const record = {
  requestId: 'r1',
  method: 'GET',
  route: '/tenants/:id',
  status: 200,
  ms: 1.5,
  ip: '127.0.0.1',
  principal: 'secret_key',
  tenantId: undefined,
}

describe('the line of a request', () => {
  it('is the same as the log itself would write', () => {
    const lines: string[] = []
    const log = createLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) })
    createRequestLog(log)?.(record)
    log.info(record, 'request')
    const [ours = '', pinos = ''] = lines.map((line) => line.replace(/"time":"[^"]{24}"/, '"time":""'))
    assert.equal(ours, pinos)
    assert.match(ours, /^\{"level":"info","time":"","requestId":"r1",.*"msg":"request"\}\n$/)
  })

  it('stays one line, whatever address a proxy reports for the caller', () => {
    const lines: string[] = []
    const log = createLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(line) })
    createRequestLog(log)?.({ ...record, ip: '1.2.3.4"\n{"level":"fatal"}' })
    assert.equal(lines.length, 1)
    const [line = ''] = lines
    assert.equal(line.indexOf('\n'), line.length - 1)
    assert.equal((JSON.parse(line) as typeof record).ip, '1.2.3.4"\n{"level":"fatal"}')
  })

  it('is omitted if the log level excludes it', () => {
    assert.equal(createRequestLog(createLog({ logLevel: 'warn' }, { write: () => assert.fail() })), undefined)
  })
})
