import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseError } from 'pg'
import { DatabaseUnavailable } from '../database.ts'
import { isServerGone, translateStatementError } from './errors.ts'

const internalError = (message: string, file: string) =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code: 'XX000', file })

describe('internal errors of Citus', () => {
  it('mean that the database is unavailable for now if they are about a server that was lost', () => {
    for (const [file, message] of [
      ['remote_commands.c', 'connection to the remote node bailiwick@localhost:5433 failed'],
      ['remote_transaction.c', "failed to prepare transaction 'citus_0_1_2_3' on host localhost:5433"],
      ['remote_transaction.c', 'failure on connection marked as essential: localhost:5433'],
      ['placement_connection.c', 'could not commit transaction for shard 102008 on any active node'],
      ['intermediate_results.c', 'failed to read result "1_2" from node localhost:5433'],
      ['adaptive_executor.c', 'postmaster was shut down, exiting'],
    ] as const) {
      const error = internalError(message, file)
      assert.ok(translateStatementError(error) instanceof DatabaseUnavailable, message)
      assert.equal(isServerGone(error), false, message)
    }
  })

  it('are bugs otherwise', () => {
    const error = internalError('unexpected task', 'adaptive_executor.c')
    assert.equal(translateStatementError(error), error)
  })
})
