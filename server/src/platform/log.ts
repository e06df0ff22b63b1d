import { writeSync } from 'node:fs'
import { type DestinationStream, type LogFn, type Logger, destination, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { messageOf, redacted, redactedArgument } from './log-record.ts'

const bufferLength = 64 * 1024
/** A line waits this long up to twice: once here and once in the stream. */
const flushEveryMs = 125
/** How many characters wait while nothing can be written. Further lines are dropped, so that memory does not fill up. */
const waitingMax = 4 * 1024 * 1024

function tell(line: string) {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // Standard error may be on the same full disk.
  }
}

/** Keeps the service running when the log's disk is full. Each flush tries again. */
function outliveFailures(stream: ReturnType<typeof destination>) {
  let isFailing = false
  stream.on('error', (error) => {
    if (!isFailing) tell(`The log cannot be written, and lines are lost until it can: ${messageOf(error)}`)
    isFailing = true
  })
  stream.on('write', () => {
    isFailing = false
  })
  const flushSync = stream.flushSync.bind(stream)
  // It retries for ever, which would keep the process from ending.
  stream.flushSync = () => {
    if (!isFailing) flushSync()
  }
}

/**
 * Buffers JSON lines and writes them outside of requests; the rest is written when the process exits. Lines are buffered here because
 * pino's stream measures its whole buffer again with each line, and because a few large writes wake its thread less often than many small
 * ones.
 */
export function bufferedStdout() {
  const stream = destination({
    dest: 1,
    sync: false,
    minLength: bufferLength,
    maxWrite: 2 * bufferLength,
    periodicFlush: flushEveryMs,
    maxLength: waitingMax,
  })
  outliveFailures(stream)
  let lines = ''
  let due: NodeJS.Timeout | undefined
  const handOver = () => {
    clearTimeout(due)
    due = undefined
    if (lines === '') return
    stream.write(lines)
    lines = ''
  }
  // Runs before the stream's own listener, which writes the rest but does not wait for writes under way.
  process.prependListener('exit', () => {
    stream.flushSync()
    handOver()
  })
  return {
    write(line: string) {
      lines += line
      if (lines.length >= bufferLength) handOver()
      else due ??= setTimeout(handOver, flushEveryMs).unref()
    },
    flush(done?: (error?: Error) => void) {
      handOver()
      stream.flush(done)
    },
  }
}

/** Without a message, pino would use the error's own, which may quote values. */
function withSafeMessage([first, message, ...rest]: Parameters<LogFn>): Parameters<LogFn> {
  const subject: unknown = first
  const texts = [message, ...rest].map(redactedArgument)
  if (subject instanceof Error)
    return [{ err: subject }, ...(message === undefined ? [messageOf(subject)] : texts)] as never
  if (typeof subject !== 'object' || subject === null) return [subject, ...texts] as never
  const err: unknown = Reflect.get(subject, 'err')
  if (message === undefined && err instanceof Error) return [subject, messageOf(err)] as never
  return [subject, ...texts] as never
}

/** Pino's formatters are not applied to the bindings of child loggers. Children inherit these methods. */
function redactBindings(log: Logger) {
  for (const name of ['child', 'setBindings'] as const) {
    const method = Reflect.get(log, name) as (...args: unknown[]) => unknown
    Reflect.set(log, name, function (this: Logger, bindings: object, ...rest: unknown[]) {
      return Reflect.apply(method, this, [redacted(bindings), ...rest])
    })
  }
}

/** @param target where the lines are written; standard output by default. */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  target: DestinationStream = bufferedStdout(),
): Logger {
  const log = pino(
    {
      level: logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }), log: redacted },
      // Errors have become records already; pino's own serializer would treat them as errors again.
      serializers: { err: (record: unknown) => record },
      hooks: {
        logMethod(args, method) {
          method.apply(this, withSafeMessage(args))
        },
      },
    },
    target,
  )
  redactBindings(log)
  return log
}
