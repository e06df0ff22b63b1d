import { writeSync } from 'node:fs'
import { type DestinationStream, type LogFn, type Logger, destination, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { messageOf, redacted, redactedArgument } from './log-record.ts'

const bufferLength = 64 * 1024
/** Lines wait once here and once in the stream. */
const flushEveryMs = 125
/** What waits while nothing can be written; what comes then is lost, and not the memory. */
const waitingMax = 4 * 1024 * 1024

function tell(line: string) {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // It may be on the same disk.
  }
}

/** A full disk under the log is no reason to stop serving: it is tried again with each flush. */
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
  // It tries for ever, and would keep the process from ending.
  stream.flushSync = () => {
    if (!isFailing) flushSync()
  }
}

/**
 * JSON lines, gathered and written off the request's path; what is left is written when the process exits. They are gathered here, for
 * pino's stream measures all that it has gathered again with each, and few large writes wake its thread less often than many.
 */
function bufferedStdout() {
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
  // Before the stream's own listener, which writes what has not been begun; of what has been, nobody would wait for the end.
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

/** Without a message pino would take the error's own, whatever it quotes. */
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

/** Pino's formatters pass the bindings of child loggers by. Children inherit these methods. */
function redactBindings(log: Logger) {
  for (const name of ['child', 'setBindings'] as const) {
    const method = Reflect.get(log, name) as (...args: unknown[]) => unknown
    Reflect.set(log, name, function (this: Logger, bindings: object, ...rest: unknown[]) {
      return Reflect.apply(method, this, [redacted(bindings), ...rest])
    })
  }
}

/** @param target where the lines go; standard output by default. */
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
      // Errors are records by then; pino's own serializer would take them for errors again.
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
